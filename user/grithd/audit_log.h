/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The audit log: DIR/audit.jsonl, a line for each event, only ever appended to. Lines are collected
 * and written together; what cannot be written is kept for a while, then counted and admitted in a
 * gap entry. The one place that knows how the log lies on the disk.
 */
#ifndef GRITHD_AUDIT_LOG_H
#define GRITHD_AUDIT_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"

#define AUDIT_LINE_MAX (1u << 20) /* bytes; no event makes a longer line */

struct audit_log;

/*
 * Makes the directory and the file where they are missing, and cuts off a last line that was not
 * written whole, which `ret_torn` tells. -errno where the log cannot be written to; -EPERM where it
 * belongs to somebody else.
 */
int audit_log_open(const char *directory, struct audit_log **ret_log, bool *ret_torn);
void audit_log_free(struct audit_log *log);
DEFINE_CLEANUP(struct audit_log, audit_log_free)

/* Never fail: what does not fit in memory is counted like what does not fit on the disk. */
void audit_log_operation(struct audit_log *log, const struct event_operation *event);
void audit_log_session(struct audit_log *log, const struct event_session *event);
void audit_log_gap(struct audit_log *log, const struct event_gap *event);

/*
 * Writes what was collected. 0 or -errno; then the lines stay for the next time. `ret_grew` tells
 * that readers will find something new.
 */
int audit_log_flush(struct audit_log *log, bool *ret_grew);

/* Lines written, and lines given up, since the log was opened. */
uint64_t audit_log_lines(const struct audit_log *log);
uint64_t audit_log_lost(const struct audit_log *log);

/* A descriptor of its own for a reader; the caller closes it. */
int audit_log_open_reader(const struct audit_log *log);

/* Both clocks now, for events that have no record. */
struct event_head audit_now(const char *session);

#endif
