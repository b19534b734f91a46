/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Questions that came up, and who answered them. A review is asked once and answered once; its
 * object is in both events, the answer in the second one.
 */
#include "internal.h"

static int find(struct report *report, uint32_t number, struct report_review **ret_review)
{
	struct tally *numbers = &report->tallies[TALLY_REVIEWS];
	uint32_t count = numbers->keys.count, at;
	struct tally_entry *entry;
	int r = tally_at(numbers, &(struct tally_key) { .a = number }, 0, &entry, &at);

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

int report_add_review(struct report *report, const struct log_event *log)
{
	struct report_review *review;
	int r = find(report, log->review, &review);

	if (r < 0 || !review)
		return r;
	const struct name_field fields[] = {
		{ log->state, &review->state },	    { log->scope, &review->scope },
		{ log->by, &review->by },	    { log->path, &review->object },
		{ log->program, &review->program }, { log->rule, &review->rule },
		{ log->reason, &review->reason },   { log->parts, &review->parts },
	};

	r = report_name_fields(report, fields, ARRAY_SIZE(fields), false);
	review->op = log->op;
	review->score = log->score;
	if (!bytes_are(log->state, "asked")) {
		review->answered = log->time;
		return r;
	}
	review->asked = log->time;
	return r < 0 ? r : report_add_scores(report, &(struct report_event) { .log = log });
}

static void make(struct table_writer *w)
{
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
		table_number(w, review->score);
		table_name(w, review->rule);
		table_name(w, review->reason);
		table_owned(w, report_parts_text(report_name(&w->report->names, review->parts)));
	}
	w->table->total = w->report->n_reviews;
}

const struct report_section report_reviews = {
	.key = "reviews",
	.title = "Questions and answers",
	.about = "Each hold that asked for a decision, and who gave it.",
	.columns = {
		{ "asked", "asked", REPORT_TIME, ROW_MADE },
		{ "op", "operation", REPORT_WORD, ROW_MADE },
		{ "object", "object", REPORT_TEXT, ROW_MADE },
		{ "program", "program", REPORT_PROGRAM, ROW_MADE },
		{ "answer", "answer", REPORT_WORD, ROW_MADE },
		{ "by", "by", REPORT_WORD, ROW_MADE },
		{ "for", "for", REPORT_WORD, ROW_MADE },
		{ "waited", "waited ms", REPORT_NUMBER, ROW_MADE },
		{ "score", "score", REPORT_SCORE, ROW_MADE },
		{ "rule", "rule", REPORT_WORD, ROW_MADE },
		{ "reason", "reason", REPORT_TEXT, ROW_MADE },
		{ "parts", "score's parts", REPORT_TEXT, ROW_MADE },
	},
	.tally = TALLY_REVIEWS,
	.make = make,
};
