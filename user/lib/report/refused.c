/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What was refused, hidden and held, and by which rule.
 */
#include "lib/base/base.h"
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

int report_add_refused(struct report *report, const struct report_event *event)
{
	const struct log_event *log = event->log;
	struct tally_key key = {
		.b = event->program, .c = event->rule, .d = log->op, .e = log->verdict
	};
	struct tally_entry *entry;
	int r;

	if (!event->refused)
		return 0;
	r = name_object(report, event, &key.a);
	if (r == 0)
		r = tally_at(&report->refused, &key, log->time, &entry, NULL);
	if (r < 0)
		return r;
	entry->n[TIMES]++;
	entry->n[OBSERVED] += !!(log->flags & GRITH_RECORD_OBSERVED);
	entry->n[REASON] = event->reason;
	return 0;
}

void report_table_refused(struct table_writer *w)
{
	static const struct report_column columns[] = {
		{ "verdict", "verdict", REPORT_TEXT },
		{ "op", "operation", REPORT_TEXT },
		{ "object", "object", REPORT_TEXT },
		{ "program", "program", REPORT_TEXT },
		{ "times", "times", REPORT_NUMBER },
		{ "observed", "only observed", REPORT_NUMBER },
		{ "rule", "rule", REPORT_TEXT },
		{ "reason", "reason", REPORT_TEXT },
		{ "first", "first", REPORT_TIME },
	};
	const struct tally *refused = &w->report->refused;

	TABLE_COLUMNS_SET(w->table, columns);
	w->table->beyond = refused->beyond;
	for (uint32_t i = 0; i < refused->keys.count; i++) {
		const struct tally_key *key = tally_key(refused, i);
		const struct tally_entry *entry = &refused->entries[i];

		table_string(w, verdict_name(key->e) ? verdict_name(key->e) : "");
		table_string(w, op_name(key->d) ? op_name(key->d) : "");
		table_name(w, key->a);
		table_name(w, key->b);
		table_number(w, entry->n[TIMES]);
		table_number(w, entry->n[OBSERVED]);
		table_name(w, key->c);
		table_name(w, entry->n[REASON]);
		table_number(w, entry->first);
	}
	table_finish(w, 4);
}
