/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What of the policy was used. The log names rules only where they decided; those that never did
 * are known only if somebody tells which rules there are.
 */
#include "internal.h"

enum { ALLOWED, HELD, DENIED, HIDDEN, TOTAL, REASON };

int report_add_rules(struct report *report, const struct report_event *event)
{
	struct tally_entry *entry;
	int r;

	if (!report_is_decision(report, event->log) || !event->rule ||
	    (unsigned int)event->log->verdict >= GRITH_VERDICTS)
		return 0;
	r = tally_at(&report->rules, &(struct tally_key) { .a = event->rule }, event->log->time,
		     &entry, NULL);
	if (r < 0)
		return r;
	entry->n[ALLOWED + event->log->verdict]++; /* in the order of the verdicts */
	entry->n[TOTAL]++;
	if (event->reason)
		entry->n[REASON] = event->reason;
	return 0;
}
_Static_assert(ALLOWED == (int)GRITH_ALLOW && HELD == (int)GRITH_HOLD &&
		       DENIED == (int)GRITH_DENY && HIDDEN == (int)GRITH_HIDE,
	       "verdicts are columns");

int report_add_rule(struct report *report, const char *rule, const char *reason)
{
	struct tally_key key = { 0 };
	struct tally_entry *entry;
	uint32_t name = REPORT_NAME_NONE;
	int r = report_name_add(report, report_bytes(rule), &key.a);

	if (r == 0 && reason)
		r = report_name_add(report, report_bytes(reason), &name);
	if (r == 0)
		r = tally_at(&report->rules, &key, 0, &entry, NULL);
	if (r < 0)
		return r;
	if (!entry->n[REASON])
		entry->n[REASON] = name;
	report->rules_known = true;
	return 0;
}

void report_table_rules(struct table_writer *w)
{
	static const struct report_column columns[] = {
		{ "rule", "rule", REPORT_TEXT },	 { "total", "used", REPORT_NUMBER },
		{ "allowed", "allowed", REPORT_NUMBER }, { "held", "held", REPORT_NUMBER },
		{ "denied", "denied", REPORT_NUMBER },	 { "hidden", "hidden", REPORT_NUMBER },
		{ "reason", "reason", REPORT_TEXT },
	};
	const struct tally *rules = &w->report->rules;

	TABLE_COLUMNS_SET(w->table, columns);
	w->table->beyond = rules->beyond;
	w->table->about =
		w->report->rules_known
			? "Rules and how often each decided; those with 0 were not needed."
			: "Rules that decided something. Those that never did are not in "
			  "the log: --policy adds them.";
	for (uint32_t i = 0; i < rules->keys.count; i++) {
		const struct tally_entry *entry = &rules->entries[i];

		table_name(w, tally_key(rules, i)->a);
		table_number(w, entry->n[TOTAL]);
		for (size_t n = ALLOWED; n <= HIDDEN; n++)
			table_number(w, entry->n[n]);
		table_name(w, entry->n[REASON]);
	}
	table_finish(w, 1);
}
