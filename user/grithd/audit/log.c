/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A line has its place in the chain from the moment it is collected; what is lost for want of
 * memory never had one. The head follows each write, so it is never ahead of the log.
 */
#include <fcntl.h>
#include <string.h>
#include <time.h>

#include "log_internal.h"

#define PENDING_MAX (8u << 20) /* bytes kept in memory while nothing can be written */

static uint64_t read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

struct event_head audit_now(const char *session)
{
	return (struct event_head) { read_clock(CLOCK_REALTIME), read_clock(CLOCK_MONOTONIC),
				     session };
}

/* Whether there is room for another line; where there is not, it is lost. */
static bool has_room(struct audit_log *log)
{
	if (log->pending.length < PENDING_MAX)
		return true;
	log->lost++;
	log->unsaid++;
	return false;
}

int audit_log_chain(struct audit_log *log, size_t start, int r)
{
	if (r == 0)
		r = audit_chain_add(&log->chain, &log->pending, start);
	if (r == 0) {
		log->pending_lines++;
		log->unsigned_lines++;
	} else if (log->pending.data) {
		log->pending.data[log->pending.length = start] = '\0';
	}
	return r;
}

void audit_log_checkpoint(struct audit_log *log)
{
	struct event_head now = audit_now(NULL);
	size_t start = log->pending.length;

	if (!log->unsigned_lines)
		return;
	if (audit_log_chain(log, start,
			    audit_entry_checkpoint(&log->pending, &now, &log->chain, &log->key)) ==
	    0)
		log->unsigned_lines = 0;
}

static void added(struct audit_log *log, size_t start, int r)
{
	if (audit_log_chain(log, start, r) < 0) {
		log->lost++;
		log->unsaid++;
	}
	if (log->unsigned_lines >= AUDIT_CHECKPOINT_LINES)
		audit_log_checkpoint(log);
}

void audit_log_operation(struct audit_log *log, const struct event_operation *event)
{
	size_t start = log->pending.length;

	if (has_room(log))
		added(log, start, event_add_operation(&log->pending, event));
}

void audit_log_session(struct audit_log *log, const struct event_session *event)
{
	size_t start = log->pending.length;

	if (has_room(log))
		added(log, start, event_add_session(&log->pending, event));
}

void audit_log_gap(struct audit_log *log, const struct event_gap *event)
{
	size_t start = log->pending.length;

	if (has_room(log))
		added(log, start, event_add_gap(&log->pending, event));
}

/* Says in the log itself that lines are missing before this point. */
static void admit_loss(struct audit_log *log)
{
	struct event_gap gap = {
		.head = audit_now(NULL),
		.lost = log->unsaid,
		.reason = "the audit log could not be written to",
	};
	size_t start = log->pending.length;

	if (log->unsaid && audit_log_chain(log, start, event_add_gap(&log->pending, &gap)) == 0)
		log->unsaid = 0;
}

/* --- writing */

/*
 * After lines went out of `pending`, perhaps not all of them: a file is named by the number of its
 * first line, so how many are left must be right. One that was begun is left.
 */
static void count_pending(struct audit_log *log)
{
	uint64_t left = 0;

	for (size_t i = 0; i < log->pending.length; i++)
		left += log->pending.data[i] == '\n';
	log->lines += log->pending_lines - left;
	log->pending_lines = left;
}

static int write_out(struct audit_log *log)
{
	uint64_t first = log->chain.n + 1 - log->pending_lines;
	int r = 0;

	if (log->pending.length) {
		r = audit_file_append(&log->file, &log->pending, first);
		count_pending(log);
		if (r < 0)
			return r;
		log->head_is_old = true;
	}
	if (log->head_is_old)
		r = audit_head_write(&log->head, &log->key, &log->chain);
	if (r == 0)
		log->head_is_old = false;
	return r;
}

/* Ends with a checkpoint. What fails is tried again when the file has grown as much again. */
static int seal(struct audit_log *log)
{
	int r;

	audit_log_checkpoint(log);
	r = write_out(log);
	if (r < 0 || log->unsigned_lines)
		return r;
	r = audit_file_seal(&log->file);
	log->has_work = true;
	log->seal_r = r;
	log->size_tried = r < 0 ? log->file.size : 0;
	return 0;
}

/* Those who removed the file took lines with it that were said to be written. */
static void notice_removal(struct audit_log *log)
{
	struct event_gap gap = {
		.head = audit_now(NULL),
		.reason = "the file of the audit log was removed by somebody else",
	};

	if (!audit_file_is_gone(&log->file, &log->pending))
		return;
	count_pending(log);
	audit_log_gap(log, &gap);
}

int audit_log_flush(struct audit_log *log, bool *ret_grew)
{
	uint64_t before;
	int r;

	notice_removal(log);
	/* After a failure the gap comes behind the lines that are still waiting. */
	if (log->pending.length < PENDING_MAX)
		admit_loss(log);
	before = log->pending.length;
	r = write_out(log);
	*ret_grew = log->pending.length < before;
	if (r == 0 && log->file.size >= log->size + log->size_tried)
		r = seal(log);
	return r;
}

int audit_log_finish(struct audit_log *log)
{
	bool grew;
	int r;

	audit_log_checkpoint(log);
	r = audit_log_flush(log, &grew);
	return r < 0 ? r : audit_file_sync(&log->file);
}

/* --- asking */

uint64_t audit_log_lines(const struct audit_log *log)
{
	return log->lines;
}

uint64_t audit_log_lost(const struct audit_log *log)
{
	return log->lost;
}
