/* SPDX-License-Identifier: MPL-2.0 */
/*
 * From the kernel's records to lines of the audit log: which session, which process, which program,
 * which rule, and what is missing.
 */
#pragma once

#include <stdint.h>

struct daemon;
struct session;

enum intake_end {
	INTAKE_EMPTY, /* there are no more */
	INTAKE_LATER, /* one came that is younger than was asked for */
	INTAKE_FULL, /* as many as are taken in at once */
};

/*
 * Takes in the records that are there up to the time `until` (CLOCK_MONOTONIC, nanoseconds), a
 * limited number at a time, so that a flood of them does not keep everything else waiting. -errno
 * where the ring buffer fails.
 */
int intake_run(struct daemon *daemon, uint64_t until, enum intake_end *ret_end);

/* Writes down what is still in pieces or missing, at the end of a session. */
void intake_finish(struct session *session);

/* Gives up records that are overdue, in all sessions. */
void intake_expire(struct daemon *daemon);
