/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The audit log in the event loop: what it does from time to time, and what happens to sessions
 * while it cannot be written to.
 */
#pragma once

struct audit_work;
struct daemon;

/* 0 or -errno. */
int audit_work_new(struct daemon *daemon, struct audit_work **ret_work);
/* Ends the log with a checkpoint. */
void audit_work_free(struct audit_work *work);

/* After each flush, with what it returned. `work` may be NULL. */
void audit_work_written(struct audit_work *work, int r);
