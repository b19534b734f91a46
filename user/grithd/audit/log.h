/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The audit log: a line for each event, only ever appended to, and chained and signed so that no
 * line can be changed or taken away unnoticed. Lines are collected and written together; what
 * cannot be written is kept for a while; then it is counted, and logged as a gap of its session,
 * with the reason.
 */
#pragma once

#include "lib/audit/audit.h"
#include "lib/event/event.h"

struct audit_log;

struct audit_settings {
	const char *directory; /* of the log */
	int state; /* of the key and the head; a descriptor that stays the caller's */
	uint64_t size; /* bytes, after which a file is sealed */
	uint64_t keep; /* segments; 0: any number */
	uint64_t days; /* that a segment is kept; 0: for ever */
};

/* What was found when the log was opened. */
struct audit_found {
	bool key_made; /* there was none */
	bool torn; /* the last line was not written whole, and was cut off */
	bool no_head; /* nothing says where the log ended; not so for a new log */
	bool changed; /* the last line, since it was written */
	uint64_t missing; /* lines at the end that had been written */
};

/*
 * Makes what is missing: directory, file, key. -errno where the log cannot be written to; -EPERM
 * where it belongs to another user; -EBADMSG where the key's file is damaged. Where lines are
 * missing at the end the chain goes on behind them, so that they stay missed.
 */
int audit_log_open(const struct audit_settings *settings, struct audit_log **ret_log,
		   struct audit_found *ret_found);
void audit_log_free(struct audit_log *log);
DEFINE_CLEANUP(struct audit_log, audit_log_free)

/*
 * What fits neither on the disk nor in memory is counted, and becomes a gap later: -errno says so,
 * and there is nothing to be done about it.
 */
int audit_log_operation(struct audit_log *log, const struct event_operation *event);
void audit_log_session(struct audit_log *log, const struct event_session *event);
void audit_log_gap(struct audit_log *log, const struct event_gap *event);

/* So much waits to be written that it should be before more is added. */
bool audit_log_is_full(const struct audit_log *log);

/* Signs what came since the last checkpoint, if anything did. */
void audit_log_checkpoint(struct audit_log *log);

/*
 * Writes what was collected. 0 or -errno; then the lines stay for the next time. `ret_grew` tells
 * that readers will find something new. Seals the file when it is large.
 */
int audit_log_flush(struct audit_log *log, bool *ret_grew);

/* The last flush of a clean stop: with a checkpoint, and on the disk. 0 or -errno. */
int audit_log_finish(struct audit_log *log);

/*
 * A small piece of the work that sealed files are for: compressing them, and removing those that
 * are too many or too old. May add lines, so a flush is to follow. 1: there is more; 0; -errno,
 * after which it is to be tried again later. `ret_what` says what was tried.
 */
int audit_log_work(struct audit_log *log, const char **ret_what);
/* From now and then: segments may have become old, or what failed may work now. */
void audit_log_look_again(struct audit_log *log);
bool audit_log_has_work(const struct audit_log *log);

/* Lines written, and lines given up, since the log was opened. */
uint64_t audit_log_lines(const struct audit_log *log);
uint64_t audit_log_lost(const struct audit_log *log);
