/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The counts of two sessions side by side.
 */
#include "grith/base/base.h"
#include "value.h"
#include "view.h"

static int add_title(struct table *table, const struct report_session *session)
{
	struct record_bytes name = session->name.length ? session->name : session->id;
	OWNED_TEXT struct text title = { 0 };
	int r = text_add_escaped(&title, name.data, name.length);

	if (r == 0 && session->profile.length) {
		r = text_addf(&title, " (");
		if (r == 0)
			r = text_add_escaped(&title, session->profile.data,
					     session->profile.length);
		if (r == 0)
			r = text_addf(&title, ")");
	}
	return r < 0 ? r : table_add(table, title.data);
}

static int add_count(struct table *table, enum report_count count, uint64_t value)
{
	OWNED_TEXT struct text text = { 0 };
	int r = view_report_count(&text, count, value);

	return r < 0 ? r : table_add(table, text.data);
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
