/* SPDX-License-Identifier: MPL-2.0 */
/*
 * From the kernel's records to lines of the audit log: which session, which process, which program,
 * which rule, and what is missing.
 */
#ifndef GRITHD_INTAKE_H
#define GRITHD_INTAKE_H

#include <stdbool.h>

struct daemon;
struct session;

/*
 * Takes in the records that are there, a limited number at a time, so that a flood of them does not
 * keep everything else waiting; true: there are more. -errno where the ring buffer fails.
 */
int intake_run(struct daemon *daemon, bool *ret_more);

/* Writes down what is still in pieces or missing, at the end of a session. */
void intake_finish(struct session *session);

/* Gives up records that are overdue, in all sessions. */
void intake_expire(struct daemon *daemon);

#endif
