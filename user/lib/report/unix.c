/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Unix sockets: which servers of this machine were talked to. An abstract name starts with '@'.
 */
#include "internal.h"

enum { TRIED, CONNECTED, FAILED, REFUSED }; /* as network.c's, which takes connects back */

static int add(struct report *report, const struct report_event *event)
{
	const struct log_event *log = event->log;
	const struct tally_key key = { .a = event->path, .b = event->program, .e = log->op };
	struct report_process *thread = report_process(report, event->thread);
	struct tally_entry *row;
	uint32_t number;
	int r;

	if (log->kind != LOG_UNIX || !event->path || log->flags & GRITH_RECORD_HELD)
		return 0;
	r = tally_at(&report->tallies[TALLY_SOCKETS], &key, log->time, &row, &number);
	if (r < 0)
		return r;
	row->n[TRIED]++;
	row->n[CONNECTED] += event->happened;
	row->n[REFUSED] += event->refused;
	row->n[FAILED] += !event->happened && !event->refused;
	if (log->op == GRITH_OP_CONNECT && event->happened)
		thread->connects[TALLY_SOCKETS - TALLY_FIRST_CONNECT] = number + 1;
	return 0;
}

const struct report_section report_unix = {
	.key = "unix",
	.title = "Unix sockets and servers",
	.about = "Servers of this machine; an abstract name starts with @.",
	.columns = {
		{ "path", "socket", REPORT_TEXT, ROW_A },
		{ "op", "operation", REPORT_WORD, ROW_OP },
		{ "program", "program", REPORT_PROGRAM, ROW_B },
		{ "tried", "tried", REPORT_NUMBER, ROW_COUNT(TRIED) },
		{ "done", "done", REPORT_NUMBER, ROW_COUNT(CONNECTED) },
		{ "failed", "failed", REPORT_NUMBER, ROW_COUNT(FAILED) },
		{ "refused", "refused", REPORT_NUMBER, ROW_COUNT(REFUSED) },
	},
	.sort = 3,
	.tally = TALLY_SOCKETS,
	.add = add,
};
