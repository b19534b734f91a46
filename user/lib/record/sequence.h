/* SPDX-License-Identifier: MPL-2.0 */
/*
 * How many records of a session were lost, proved by their numbers. Records of several CPUs arrive
 * a little out of order, so a missing number counts only when it is far behind or long overdue.
 * Pure.
 */
#pragma once

#include <stdint.h>

#define SEQUENCE_WINDOW 1024 /* numbers; a power of two */

/* Starts as {0}; `next` may be set for a session that has had records before. */
struct sequence {
	uint64_t next; /* the lowest number that has not come */
	uint64_t end; /* one above the highest that has */
	uint64_t seen[SEQUENCE_WINDOW / 64]; /* bit n % WINDOW: n has come, for next < n < end */
};

/*
 * Notes that a number came; returns how many are given up for it, because they are more than a
 * window behind. A number that was given up, or came before, changes nothing.
 */
uint64_t sequence_note(struct sequence *s, uint64_t number);

/* Gives up all that are missing below the highest number that came; returns how many. */
uint64_t sequence_give_up(struct sequence *s);

/* Whether any number below the highest is missing. */
static inline int sequence_has_hole(const struct sequence *s)
{
	return s->next < s->end;
}
