/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The counts of two sessions side by side.
 */
#include "value.h"
#include "view.h"

static int add_title(struct table *table, const struct report_session *session)
{
	OWNED_LINE struct line w = { .out = &w.own };

	line_add_bytes(&w, title_of_session(session));
	if (session->profile.length) {
		line_add(&w, " (");
		line_add_bytes(&w, session->profile);
		line_add(&w, ")");
	}
	return w.r < 0 ? w.r : table_add(table, line_text(&w));
}

static int add_count(struct table *table, enum report_count count, uint64_t value)
{
	OWNED_LINE struct line w = { .out = &w.own };

	show_count(&w, count, value);
	return w.r < 0 ? w.r : table_add(table, line_text(&w));
}

int view_report_compare(const struct report_result *left, const struct report_result *right,
			const struct term *term, struct text *out)
{
	OWNED_TABLE struct table table = { .columns = 3, .right = 0x6 };
	int r = table_add(&table, "");

	if (r == 0)
		r = add_title(&table, &left->session);
	if (r == 0)
		r = add_title(&table, &right->session);
	for (size_t i = 0; i < REPORT_COUNTS && r == 0; i++) {
		r = table_add(&table, report_count_label(i));
		if (r == 0)
			r = add_count(&table, i, left->counts[i]);
		if (r == 0)
			r = add_count(&table, i, right->counts[i]);
	}
	for (size_t i = 0; i <= REPORT_COUNTS && r == 0; i++)
		r = table_print_row(&table, i, term, out);
	return r;
}
