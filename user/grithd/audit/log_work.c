/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What is done with sealed files while there is nothing else to do. That a segment is removed is
 * written down before it is.
 */
#include "lib/audit/audit.h"
#include "log_internal.h"

static int retire(struct audit_log *log)
{
	struct event_head now = audit_now(NULL);
	size_t start = log->pending.length;
	struct audit_chain last;
	uint64_t first;
	int r = audit_sealed_find_old(&log->sealed, &first, &last);

	if (r <= 0)
		return r;
	r = audit_log_chain(log, start, audit_entry_retention(&log->pending, &now, first, &last));
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
