/* SPDX-License-Identifier: MPL-2.0 */
/*
 * How the policy was used. The log names rules only where they decided; those that never did are
 * known only from the policy itself.
 */
#include "internal.h"

enum { ALLOWED, HELD, DENIED, HIDDEN, TOTAL, REASON };

static int add(struct report *report, const struct report_event *event)
{
	struct tally_entry *row;
	int r;

	if (!report_is_decision(report, event->log) || !event->rule ||
	    (unsigned int)event->log->verdict >= GRITH_VERDICTS)
		return 0;
	r = report_row(report, event, TALLY_RULES, (struct tally_key) { .a = event->rule }, &row);
	if (r < 0)
		return r;
	row->n[ALLOWED + event->log->verdict]++; /* in the order of the verdicts */
	row->n[TOTAL]++;
	if (event->reason)
		row->n[REASON] = event->reason;
	return 0;
}
_Static_assert(ALLOWED == (int)GRITH_ALLOW && HELD == (int)GRITH_HOLD &&
		       DENIED == (int)GRITH_DENY && HIDDEN == (int)GRITH_HIDE,
	       "verdicts are columns");

int report_add_rule(struct report *report, const char *rule, const char *reason)
{
	struct tally_key key = { 0 };
	struct tally_entry *row;
	uint32_t name = REPORT_NAME_NONE;
	int r = report_name_add(report, bytes_of(rule), &key.a);

	if (r == 0 && reason)
		r = report_name_add(report, bytes_of(reason), &name);
	if (r == 0)
		r = tally_at(&report->tallies[TALLY_RULES], &key, 0, &row, NULL);
	if (r < 0)
		return r;
	if (!row->n[REASON])
		row->n[REASON] = name;
	report->rules_known = true;
	return 0;
}

static void make(struct table_writer *w)
{
	if (w->report->rules_known)
		w->table->about = "Rules and how often each decided; those with 0 were not needed.";
	table_tally(w, &w->report->tallies[TALLY_RULES]);
}

const struct report_section report_rules = {
	.key = "rules",
	.title = "Policy use",
	.about = "Rules that decided something. Those that never did are not in the log: --policy adds them.",
	.columns = {
		{ "rule", "rule", REPORT_WORD, ROW_A },
		{ "total", "used", REPORT_NUMBER, ROW_COUNT(TOTAL) },
		{ "allowed", "allowed", REPORT_NUMBER, ROW_COUNT(ALLOWED) },
		{ "held", "held", REPORT_NUMBER, ROW_COUNT(HELD) },
		{ "denied", "denied", REPORT_NUMBER, ROW_COUNT(DENIED) },
		{ "hidden", "hidden", REPORT_NUMBER, ROW_COUNT(HIDDEN) },
		{ "reason", "reason", REPORT_TEXT, ROW_COUNT(REASON) },
	},
	.sort = 1,
	.tally = TALLY_RULES,
	.add = add,
	.make = make,
};
