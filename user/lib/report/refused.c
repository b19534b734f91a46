/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What was refused, hidden and held, and by which rule.
 */
#include "internal.h"

enum { TIMES, OBSERVED, REASON };

static int add_endpoint(struct text *text, const struct log_event *log)
{
	struct record_bytes address = log->address;
	bool six = address.length && memchr(address.data, ':', address.length);

	if (!address.length)
		return text_addf(text, "%.*s %.*s", (int)log->family.length, log->family.data,
				 (int)log->type.length, log->type.data);
	return text_addf(text, "%s%.*s%s:%u", six ? "[" : "", (int)address.length, address.data,
			 six ? "]" : "", log->port);
}

/* What an operation was about, as one name: a path, an address with its port, a process. */
static int name_object(struct report *report, const struct report_event *event, uint32_t *ret_name)
{
	const struct log_event *log = event->log;
	OWNED_TEXT struct text text = { 0 };
	int r = 0;

	switch (log->kind) {
	case LOG_NET:
		r = add_endpoint(&text, log);
		break;
	case LOG_PROCESS:
		r = text_add(&text, log->target_comm.data, log->target_comm.length);
		break;
	case LOG_RING:
		r = text_addf(&text, "io_uring");
		break;
	default:
		*ret_name = event->path;
		return 0;
	}
	if (r == 0)
		r = report_name_add(report, (struct record_bytes) { text.data, text.length },
				    ret_name);
	return r;
}

static int add(struct report *report, const struct report_event *event)
{
	const struct log_event *log = event->log;
	struct tally_key key = {
		.b = event->program, .c = event->rule, .d = log->verdict, .e = log->op
	};
	struct tally_entry *row;
	int r;

	if (!event->refused)
		return 0;
	r = name_object(report, event, &key.a);
	if (r == 0)
		r = report_row(report, event, TALLY_REFUSED, key, &row);
	if (r < 0)
		return r;
	row->n[TIMES]++;
	row->n[OBSERVED] += !!(log->flags & GRITH_RECORD_OBSERVED);
	row->n[REASON] = event->reason;
	return 0;
}

const struct report_section report_refused = {
	.key = "refused",
	.title = "Refused, hidden, held",
	.about = "What the policy or the score did not allow at once.",
	.columns = {
		{ "verdict", "verdict", REPORT_WORD, ROW_VERDICT },
		{ "op", "operation", REPORT_WORD, ROW_OP },
		{ "object", "object", REPORT_TEXT, ROW_A },
		{ "program", "program", REPORT_PROGRAM, ROW_B },
		{ "times", "times", REPORT_NUMBER, ROW_COUNT(TIMES) },
		{ "observed", "only observed", REPORT_NUMBER, ROW_COUNT(OBSERVED) },
		{ "rule", "rule", REPORT_WORD, ROW_C },
		{ "reason", "reason", REPORT_TEXT, ROW_COUNT(REASON) },
		{ "first", "first", REPORT_TIME, ROW_FIRST },
	},
	.sort = 4,
	.tally = TALLY_REFUSED,
	.add = add,
};
