/* SPDX-License-Identifier: MPL-2.0 */
/* Two tables. */
#include "view_learned.h"

int view_trust(const json_t *trust, const struct term *term, struct text *out)
{
	static const char *const heads[] = {
		"TRUST", "ANSWERS", "EFFECT", "PROFILE", "OP", "PROGRAM", "OBJECT", "KEY",
	};
	static const char *const keys[] = { "profile", "op", "program", "object", "key" };
	OWNED_TABLE struct table table = { .columns = ARRAY_SIZE(heads), .right = 7 };
	const json_t *entry;
	size_t i;

	if (!json_array_size(trust))
		return text_addf(out, "Nothing was learned from answers yet.\n");
	table_add_cells(&table, heads, ARRAY_SIZE(heads));
	json_array_foreach (trust, i, entry) {
		table_addf(&table, "%.2f", member_number(entry, "trust"));
		table_addf(&table, "%.1f", member_number(entry, "answers"));
		table_addf(&table, "%+.2f", member_number(entry, "effect"));
		for (size_t k = 0; k < ARRAY_SIZE(keys); k++)
			table_add_member(&table, entry, keys[k]);
	}
	return table_print(&table, term, out);
}

static void add_time(struct table *table, const json_t *object, const char *key)
{
	OWNED_LINE struct line cell = { .out = &cell.own };
	int64_t time;

	if (moment_parse(member_string(object, key), &time) == 0)
		line_add_moment(&cell, time);
	else
		line_add(&cell, "-");
	table_add_line(table, &cell);
}

int view_canaries(const json_t *canaries, const struct term *term, struct text *out)
{
	static const char *const heads[] = { "NAME", "KIND", "SINCE", "SEEN", "PATH" };
	OWNED_TABLE struct table table = { .columns = ARRAY_SIZE(heads) };
	const json_t *canary;
	size_t i;

	if (!json_array_size(canaries))
		return text_addf(out, "There are no canaries.\n");
	table_add_cells(&table, heads, ARRAY_SIZE(heads));
	json_array_foreach (canaries, i, canary) {
		table_add_member(&table, canary, "name");
		table_add_member(&table, canary, "kind");
		add_time(&table, canary, "since");
		add_time(&table, canary, "seen");
		table_add_member(&table, canary, "path");
	}
	return table_print(&table, term, out);
}
