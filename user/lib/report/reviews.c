/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Questions that came up, and who answered them. A review is asked once and answered once; what it
 * is about is in both events, the answer in the second one.
 */
#include "lib/base/base.h"
#include "internal.h"

static int find(struct report *report, uint32_t number, struct report_review **ret_review)
{
	uint32_t count = report->review_numbers.keys.count, at;
	struct tally_entry *entry;
	int r = tally_at(&report->review_numbers, &(struct tally_key) { .a = number }, 0, &entry,
			 &at);

	if (r < 0)
		return r;
	if (at == UINT32_MAX) {
		*ret_review = NULL;
		return 0;
	}
	if (at == count) {
		if (ARRAY_GROW(report->reviews, report->n_reviews) < 0)
			return -ENOMEM;
		report->reviews[report->n_reviews++] = (struct report_review) { 0 };
	}
	*ret_review = &report->reviews[at];
	return 0;
}

int report_add_reviews(struct report *report, const struct report_event *event)
{
	const struct log_event *log = event->log;
	struct report_review *review;
	int r = find(report, log->review, &review);

	if (r < 0 || !review)
		return r;
	const struct {
		struct record_bytes from;
		uint32_t *to;
	} fields[] = {
		{ log->state, &review->state },	    { log->scope, &review->scope },
		{ log->by, &review->by },	    { log->path, &review->object },
		{ log->program, &review->program }, { log->rule, &review->rule },
		{ log->reason, &review->reason },   { log->parts, &review->parts },
	};

	for (size_t i = 0; i < ARRAY_SIZE(fields) && r == 0; i++)
		if (fields[i].from.length)
			r = report_name_add(report, fields[i].from, fields[i].to);
	review->op = log->op;
	review->score = log->score;
	if (log->state.length != strlen("asked") || memcmp(log->state.data, "asked", 5) != 0) {
		review->answered = log->time;
		return r;
	}
	review->asked = log->time;
	return r < 0 ? r : report_add_scores(report, event);
}

void report_table_reviews(struct table_writer *w)
{
	static const struct report_column columns[] = {
		{ "asked", "asked", REPORT_TIME },   { "op", "operation", REPORT_TEXT },
		{ "object", "object", REPORT_TEXT }, { "program", "program", REPORT_TEXT },
		{ "answer", "answer", REPORT_TEXT }, { "by", "by", REPORT_TEXT },
		{ "for", "for", REPORT_TEXT },	     { "waited", "waited ms", REPORT_NUMBER },
		{ "score", "score", REPORT_SCORE },  { "rule", "rule", REPORT_TEXT },
		{ "reason", "reason", REPORT_TEXT }, { "parts", "score's parts", REPORT_TEXT },
	};

	TABLE_COLUMNS_SET(w->table, columns);
	w->table->beyond = w->report->review_numbers.beyond;
	for (size_t i = 0; i < w->report->n_reviews && i < REPORT_ROWS_MAX; i++) {
		const struct report_review *review = &w->report->reviews[i];

		table_number(w, review->asked ? review->asked : review->answered);
		table_string(w, op_name(review->op) ? op_name(review->op) : "");
		table_name(w, review->object);
		table_name(w, review->program);
		table_name(w, review->state);
		table_name(w, review->by);
		table_name(w, review->scope);
		table_number(w, review->asked && review->answered > review->asked
					? (review->answered - review->asked) / 1000000
					: 0);
		table_score(w, review->score);
		table_name(w, review->rule);
		table_name(w, review->reason);
		table_owned(w, report_parts_text(report_name(&w->report->names, review->parts)));
	}
	w->table->total = w->report->n_reviews;
}
