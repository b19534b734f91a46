/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A line has its place in the chain from the moment it is collected; what is lost for want of
 * memory never had one. The head follows each write, so it is never ahead of the log. That a
 * segment is removed is written down before it is.
 */
#include "grithd/base/base.h"
#include "file.h"
#include "log.h"
#include "lost.h"
#include "sealed.h"

struct audit_log {
	struct audit_file file;
	struct audit_key key;
	struct audit_head head;
	struct audit_sealed sealed;
	uint64_t retiring; /* a segment to be removed once the last line is written; 0: none */
	uint64_t size; /* of a file that is to be sealed */
	uint64_t size_tried; /* that it had when it could not be */
	int seal_r; /* of that, until audit_log_work() returns it */
	bool has_work; /* for audit_log_work() */
	bool cannot_retire; /* until audit_log_look_again() */

	struct audit_chain chain; /* of the last line collected */
	struct text pending;
	uint64_t pending_lines;
	uint64_t unsigned_lines; /* since the last checkpoint */
	bool head_is_old; /* lines were written that it does not know */
	uint64_t lines, lost;
	struct audit_losses losses; /* that no gap entry has yet */
	int write_r; /* of the last write */
};

/* Whether there is room for another line: 0, or why what is there could not be written. */
static int make_room(const struct audit_log *log)
{
	if (log->pending.length < AUDIT_PENDING_MAX)
		return 0;
	return log->write_r < 0 ? log->write_r : -ENOBUFS;
}

bool audit_log_is_full(const struct audit_log *log)
{
	return log->pending.length >= AUDIT_PENDING_MAX / 2;
}

/*
 * Makes what was added to `pending` from `start` on the next line of the chain. `r` is whether it
 * could be added; 0 or a negative errno, and then it is taken out again.
 */
static int add_to_chain(struct audit_log *log, size_t start, int r)
{
	r = r ?: audit_chain_add(&log->chain, &log->pending, start);
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
	struct event_head now = event_now(NULL);
	size_t start = log->pending.length;

	if (!log->unsigned_lines)
		return;
	if (add_to_chain(log, start,
			 audit_entry_checkpoint(&log->pending, &now, &log->chain, &log->key)) == 0)
		log->unsigned_lines = 0;
}

static int added(struct audit_log *log, size_t start, int r)
{
	r = add_to_chain(log, start, r);
	if (log->unsigned_lines >= AUDIT_CHECKPOINT_LINES)
		audit_log_checkpoint(log);
	return r;
}

/* An entry of the session is no line of the log because of `r`; a gap will say so. */
static void give_up(struct audit_log *log, const char *session, int r)
{
	char reason[96];

	snprintf(reason, sizeof(reason), "could not be written to the log: %s", strerror(-r));
	audit_losses_add(&log->losses, session, reason, 1);
	log->lost++;
}

int audit_log_operation(struct audit_log *log, const struct event_operation *event)
{
	size_t start = log->pending.length;
	int r = make_room(log);

	if (r == 0)
		r = added(log, start, event_add_operation(&log->pending, event));
	if (r < 0)
		give_up(log, event->head.session, r);
	return r;
}

void audit_log_session(struct audit_log *log, const struct event_session *event)
{
	size_t start = log->pending.length;
	int r = make_room(log);

	if (r == 0)
		r = added(log, start, event_add_session(&log->pending, event));
	if (r < 0)
		give_up(log, event->head.session, r);
}

/* What was lost stays lost for its own reason where it cannot be said at once. */
void audit_log_gap(struct audit_log *log, const struct event_gap *event)
{
	size_t start = log->pending.length;
	int r = make_room(log);

	if (r == 0)
		r = added(log, start, event_add_gap(&log->pending, event));
	if (r < 0)
		audit_losses_add(&log->losses, event->head.session, event->reason, event->lost);
}

/* Says in the log itself that lines are missing before this point. */
static void log_gaps(struct audit_log *log)
{
	struct event_gap gap;

	while (make_room(log) == 0 && audit_losses_next(&log->losses, &gap)) {
		size_t start = log->pending.length;

		if (added(log, start, event_add_gap(&log->pending, &gap)) < 0)
			return;
		audit_losses_logged(&log->losses);
	}
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
		.head = event_now(NULL),
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
	log_gaps(log); /* after a failure: behind the lines that are still waiting */
	before = log->pending.length;
	r = log->write_r = write_out(log);
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
	if (r == 0) /* gaps that had no room before */
		r = audit_log_flush(log, &grew);
	return r < 0 ? r : audit_file_sync(&log->file);
}

/* --- work on sealed files */

static int retire(struct audit_log *log)
{
	struct event_head now = event_now(NULL);
	size_t start = log->pending.length;
	struct audit_chain last;
	uint64_t first;
	int r = audit_sealed_find_old(&log->sealed, &first, &last);

	if (r <= 0)
		return r;
	r = add_to_chain(log, start, audit_entry_retention(&log->pending, &now, first, &last));
	if (r < 0)
		return r;
	log->retiring = first;
	return 1;
}

static int remove_retired(struct audit_log *log)
{
	int r;

	if (log->pending_lines || log->head_is_old)
		return 0; /* the log does not say so yet, and cannot be written to */
	r = audit_sealed_remove(&log->sealed, log->retiring);
	log->retiring = 0;
	return r < 0 ? r : 1;
}

int audit_log_work(struct audit_log *log, const char **ret_what)
{
	int r = log->seal_r;

	*ret_what = "seal the file of the audit log";
	log->seal_r = 0;
	/* First: where lines come faster than they are compressed, compressing has no end. */
	if (r == 0 && !log->cannot_retire && !audit_sealed_is_compressing(&log->sealed)) {
		*ret_what = "remove the oldest segment of the audit log";
		r = log->retiring ? remove_retired(log) : retire(log);
		log->cannot_retire = r < 0;
	}
	if (r == 0) {
		*ret_what = "compress a segment of the audit log";
		r = audit_sealed_compress(&log->sealed);
	}
	log->has_work = r == 1 || (r < 0 && log->cannot_retire);
	return r;
}

void audit_log_look_again(struct audit_log *log)
{
	audit_sealed_again(&log->sealed);
	log->cannot_retire = false;
	log->has_work = true;
}

bool audit_log_has_work(const struct audit_log *log)
{
	return log->has_work;
}

/* --- opening */

/* Where the chain goes on: behind the last line that there ever was. */
static int find_chain(struct audit_log *log, int state, struct audit_found *found)
{
	struct audit_chain tail = { 0 }, head = { 0 };
	int tail_r = log_files_find_last(log->file.directory, &tail);
	int head_r = audit_head_read(state, &log->key, &head);

	if (tail_r < 0 && tail_r != -EBADMSG)
		return tail_r;
	if (head_r < 0 && head_r != -EBADMSG && head_r != -ENOENT)
		return head_r;
	found->no_head = head_r < 0 && (tail.n || tail_r < 0);
	if (head_r < 0 || tail.n > head.n) {
		log->chain = tail;
		log->head_is_old = true;
		return 0;
	}
	log->chain = head;
	if (tail_r == 0)
		found->missing = head.n - tail.n;
	found->changed = !found->missing && !audit_hash_equal(&head.hash, &tail.hash);
	return 0;
}

static int open_parts(struct audit_log *log, const struct audit_settings *settings,
		      struct audit_found *found)
{
	int r = audit_key_init()
		?: audit_file_open(&log->file, settings->directory, &found->torn)
		?: audit_segments_tidy(log->file.directory)
		?: audit_key_open(settings->state, &log->key, &found->key_made)
		?: find_chain(log, settings->state, found)
		?: audit_head_open(settings->state, &log->key, &log->head);

	/* There is a head before there is a line, so that one without the other means something. */
	if (r == 0 && log->head_is_old)
		r = audit_head_write(&log->head, &log->key, &log->chain);
	log->head_is_old = false;
	return r;
}

int audit_log_open(const struct audit_settings *settings, struct audit_log **ret_log,
		   struct audit_found *ret_found)
{
	CLEANUP(audit_log_freep) struct audit_log *log = calloc(1, sizeof(*log));
	struct audit_found found = { 0 };
	int r;

	if (!log)
		return -ENOMEM;
	log->file = AUDIT_FILE_CLOSED;
	log->head = AUDIT_HEAD_CLOSED;
	log->sealed.compress = AUDIT_COMPRESS_IDLE;
	r = open_parts(log, settings, &found);
	if (r < 0)
		return r;
	log->size = settings->size;
	log->sealed.directory = log->file.directory;
	log->sealed.keep = settings->keep;
	log->sealed.days = settings->days;
	log->has_work = true;
	/* How many lines at the end are signed is not known. */
	log->unsigned_lines = log->chain.n ? 1 : 0;
	audit_log_checkpoint(log);
	*ret_log = TAKE_PTR(log);
	*ret_found = found;
	return 0;
}

void audit_log_free(struct audit_log *log)
{
	if (!log)
		return;
	audit_sealed_clear(&log->sealed);
	audit_file_close(&log->file);
	audit_head_close(&log->head);
	audit_key_wipe(&log->key);
	text_free(&log->pending);
	audit_losses_free(&log->losses);
	free(log);
}

uint64_t audit_log_lines(const struct audit_log *log)
{
	return log->lines;
}

uint64_t audit_log_lost(const struct audit_log *log)
{
	return log->lost;
}
