/* SPDX-License-Identifier: MPL-2.0 */
/* Three tables. */
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

/* "a directory and what is below it" ends in a slash. */
static void add_kept_object(struct table *table, const json_t *answer)
{
	const char *second = member_string(answer, "second");
	bool directory = !strcmp(member_string(answer, "kind"), "directory");

	table_addf(table, "%s%s%s%s", member_string(answer, "object"), directory ? "/**" : "",
		   *second ? " -> " : "", second);
}

int view_answers(const json_t *answers, const struct term *term, struct text *out)
{
	static const char *const heads[] = {
		"ID", "VERDICT", "FOR", "OP", "OBJECT", "OF", "SINCE",
	};
	OWNED_TABLE struct table table = { .columns = ARRAY_SIZE(heads), .right = 1 };
	const json_t *answer;
	size_t i;

	if (!json_array_size(answers))
		return text_addf(out, "No answer stands.\n");
	table_add_cells(&table, heads, ARRAY_SIZE(heads));
	json_array_foreach (answers, i, answer) {
		bool always = !strcmp(member_string(answer, "for"), "always");
		int64_t review = member_integer(answer, "review");

		if (review > 0)
			table_addf(&table, "%lld", (long long)review);
		else
			table_addf(&table, "-");
		table_add_member(&table, answer, "verdict");
		table_add_member(&table, answer, "for");
		table_add_member(&table, answer, "op");
		add_kept_object(&table, answer);
		table_add_member(&table, answer, always ? "profile" : "session_name");
		add_time(&table, answer, "time");
	}
	return table_print(&table, term, out);
}
