/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Unix sockets: which servers of this machine were talked to. An abstract name starts with '@'.
 */
#include "lib/base/base.h"
#include "internal.h"

enum { TRIED, CONNECTED, FAILED, REFUSED };

int report_add_unix(struct report *report, const struct report_event *event)
{
	const struct log_event *log = event->log;
	struct report_process *thread = report_process(report, event->thread);
	struct tally_entry *entry;
	uint32_t number;
	int r;

	if (log->kind != LOG_UNIX || !event->path || log->flags & GRITH_RECORD_HELD)
		return 0;
	r = tally_at(&report->sockets,
		     &(struct tally_key) { .a = event->path, .b = event->program, .e = log->op },
		     log->time, &entry, &number);
	if (r < 0)
		return r;
	entry->n[TRIED]++;
	entry->n[CONNECTED] += event->happened;
	entry->n[REFUSED] += event->refused;
	entry->n[FAILED] += !event->happened && !event->refused;
	if (log->op == GRITH_OP_CONNECT && event->happened)
		thread->unix_connect = number + 1;
	return 0;
}

void report_table_unix(struct table_writer *w)
{
	static const struct report_column columns[] = {
		{ "path", "socket", REPORT_TEXT },	 { "op", "operation", REPORT_TEXT },
		{ "program", "program", REPORT_TEXT },	 { "tried", "tried", REPORT_NUMBER },
		{ "done", "done", REPORT_NUMBER },	 { "failed", "failed", REPORT_NUMBER },
		{ "refused", "refused", REPORT_NUMBER },
	};
	const struct tally *sockets = &w->report->sockets;

	TABLE_COLUMNS_SET(w->table, columns);
	w->table->beyond = sockets->beyond;
	for (uint32_t i = 0; i < sockets->keys.count; i++) {
		const struct tally_key *key = tally_key(sockets, i);

		table_name(w, key->a);
		table_string(w, op_name(key->e) ? op_name(key->e) : "");
		table_name(w, key->b);
		for (size_t n = TRIED; n <= REFUSED; n++)
			table_number(w, sockets->entries[i].n[n]);
	}
	table_finish(w, 3);
}
