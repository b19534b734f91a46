/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The scores of the session, taken apart: which filter added how much, how often, and why. Events
 * carry their parts as JSON; equal ones are kept once, and read when the table is made.
 */
#include <jansson.h>
#include <math.h>

#include "internal.h"

int report_add_scores(struct report *report, const struct report_event *event)
{
	struct record_bytes parts = event->log->parts;
	struct tally_key key = { 0 };
	struct tally_entry *row;
	int r;

	/* "[]" has none in it. Those of a hold are its review's as well. */
	if (parts.length <= 2 || event->log->flags & GRITH_RECORD_HELD)
		return 0;
	r = report_name_add(report, parts, &key.a);
	if (r == 0)
		r = report_row(report, event, TALLY_PARTS, key, &row);
	if (r == 0)
		row->n[0]++;
	return r;
}

char *report_parts_text(struct record_bytes parts)
{
	json_auto_t *array = parts.length ? json_loadb(parts.data, parts.length, 0, NULL) : NULL;
	OWNED_TEXT struct text text = { 0 };
	const json_t *part;
	size_t i;
	int r = text_addf(&text, "%s", "");

	json_array_foreach (array, i, part) {
		const char *filter = json_string_value(json_object_get(part, "filter"));
		const char *why = json_string_value(json_object_get(part, "why"));

		if (r == 0)
			r = text_addf(&text, "%s%s %+.2f%s%s%s", i ? ", " : "",
				      filter ? filter : "?",
				      json_number_value(json_object_get(part, "score")),
				      why ? " (" : "", why ? why : "", why ? ")" : "");
	}
	return r < 0 ? NULL : TAKE_PTR(text.data);
}

/* Rows are [filter, why, times, total, largest], by "FILTER\nWHY". */
static int add_part(json_t *rows, const json_t *part, uint64_t times)
{
	const char *filter = json_string_value(json_object_get(part, "filter"));
	const char *why = json_string_value(json_object_get(part, "why"));
	double value = json_number_value(json_object_get(part, "score"));
	json_int_t score = isfinite(value) && fabs(value) < 1e6 ? llround(value * 100) : 0;
	OWNED_TEXT struct text key = { 0 };
	json_t *row, *n[3];

	if (text_addf(&key, "%s\n%s", filter ? filter : "", why ? why : "") < 0)
		return -ENOMEM;
	row = json_object_get(rows, key.data);
	if (!row) {
		row = json_pack("[s, s, i, i, I]", filter ? filter : "", why ? why : "", 0, 0,
				score);
		if (json_object_set_new(rows, key.data, row) < 0)
			return -ENOMEM;
	}
	for (size_t i = 0; i < ARRAY_SIZE(n); i++)
		n[i] = json_array_get(row, i + 2);
	json_integer_set(n[0], json_integer_value(n[0]) + (json_int_t)times);
	json_integer_set(n[1], json_integer_value(n[1]) + score * (json_int_t)times);
	if (json_integer_value(n[2]) < score)
		json_integer_set(n[2], score);
	return 0;
}

static int add_parts(json_t *rows, struct record_bytes text, uint64_t times)
{
	json_auto_t *parts = json_loadb(text.data, text.length, 0, NULL);
	const json_t *part;
	size_t i;
	int r;

	json_array_foreach (parts, i, part) {
		r = add_part(rows, part, times);
		if (r < 0)
			return r;
	}
	return 0;
}

static void make(struct table_writer *w)
{
	const struct tally *parts = &w->report->tallies[TALLY_PARTS];
	json_auto_t *rows = json_object();
	const char *key;
	json_t *row;

	if (!rows)
		w->r = -ENOMEM;
	for (uint32_t i = 0; i < parts->keys.count && w->r == 0; i++)
		w->r = add_parts(rows, report_name(&w->report->names, tally_key(parts, i)->a),
				 parts->entries[i].n[0]);
	json_object_foreach (rows, key, row) {
		table_owned(w, strdup(json_string_value(json_array_get(row, 0))));
		table_owned(w, strdup(json_string_value(json_array_get(row, 1))));
		for (size_t i = 2; i < 5; i++)
			table_number(w, json_integer_value(json_array_get(row, i)));
	}
}

const struct report_section report_scores = {
	.key = "scores",
	.title = "Scores, taken apart",
	.about = "Which filter added how much, and why.",
	.columns = {
		{ "filter", "filter", REPORT_WORD, ROW_MADE },
		{ "why", "why", REPORT_TEXT, ROW_MADE },
		{ "times", "times", REPORT_NUMBER, ROW_MADE },
		{ "total", "total", REPORT_SCORE, ROW_MADE },
		{ "largest", "largest", REPORT_SCORE, ROW_MADE },
	},
	.sort = 2,
	.tally = TALLY_PARTS,
	.add = report_add_scores,
	.make = make,
};
