/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Opening the log, and finding out whether it is as it was left.
 */
#include "lib/audit/audit.h"
#include "log_internal.h"

/* Where the chain goes on: behind the last line that there ever was. */
static int find_chain(struct audit_log *log, int state, struct audit_found *found)
{
	struct audit_chain tail = { 0 }, head = { 0 };
	int tail_r = audit_tail_find(log->file.directory, &tail);
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
	int r = audit_key_init();

	if (r == 0)
		r = audit_file_open(&log->file, settings->directory, &found->torn);
	if (r == 0)
		r = audit_segments_tidy(log->file.directory);
	if (r == 0)
		r = audit_key_open(settings->state, &log->key, &found->key_made);
	if (r == 0)
		r = find_chain(log, settings->state, found);
	if (r == 0)
		r = audit_head_open(settings->state, &log->key, &log->head);
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
	free(log);
}
