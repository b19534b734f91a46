/* SPDX-License-Identifier: MPL-2.0 */
/*
 * How many records of a session were lost, proved by their numbers. Records of several CPUs arrive
 * a little out of order, so a missing number counts only when it is far behind or long overdue.
 * Pure.
 */
#pragma once

#include <stdint.h>

#define SEQUENCE_WINDOW 16384 /* numbers; a power of two */

/* Starts as {0}; `next` may be set for a session that has had records before. */
struct sequence {
	uint64_t next; /* the lowest number that has not come */
	uint64_t end; /* one above the highest that has */
	uint64_t seen[SEQUENCE_WINDOW / 64]; /* bit n % WINDOW: n has come, for next < n < end */
};

/*
 * Notes that a number came. Those more than a window behind it are to be given up before. A number
 * that was given up, or came before, changes nothing.
 */
void sequence_note(struct sequence *s, uint64_t number);

/* All below it are more than a window behind the number. */
static inline uint64_t sequence_floor(uint64_t number)
{
	return number < SEQUENCE_WINDOW ? 0 : number - SEQUENCE_WINDOW + 1;
}

/* Gives up all below `below` that have not come; returns how many. */
uint64_t sequence_give_up(struct sequence *s, uint64_t below);

/*
 * Takes in numbers of the past, in any order; `next` means nothing until sequence_resume(). Only
 * those within a window of the highest are kept.
 */
void sequence_recall(struct sequence *s, uint64_t number);

/* Goes on there: what is missing below `settled`, or out of the window, was counted before. */
void sequence_resume(struct sequence *s, uint64_t settled);
