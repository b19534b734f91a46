/* SPDX-License-Identifier: MPL-2.0 */
/* Two tables. */
#include "view_learned.h"

static int add_heads(struct table *table, const char *const *heads)
{
	int r = 0;

	for (size_t i = 0; i < table->columns && r == 0; i++)
		r = table_add(table, heads[i]);
	return r;
}

/* The string at `key`, or "-". */
static int add_string(struct table *table, const json_t *object, const char *key)
{
	OWNED_TEXT struct text cell = { 0 };
	int r = shown_add(&cell, object, key);

	return r < 0 ? r : table_add(table, cell.length ? cell.data : "-");
}

static double number(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

static int print_rows(const struct table *table, size_t rows, const struct term *term,
		      struct text *out)
{
	int r = 0;

	for (size_t i = 0; i <= rows && r == 0; i++)
		r = table_print_row(table, i, term, out);
	return r;
}

int view_trust(const json_t *trust, const struct term *term, struct text *out)
{
	static const char *const heads[] = {
		"TRUST", "ANSWERS", "EFFECT", "PROFILE", "OP", "PROGRAM", "OBJECT", "KEY",
	};
	static const char *const keys[] = { "profile", "op", "program", "object", "key" };
	OWNED_TABLE struct table table = { .columns = ARRAY_SIZE(heads), .right = 7 };
	const json_t *entry;
	size_t i;
	int r = add_heads(&table, heads);

	if (!json_array_size(trust))
		return r < 0 ? r : text_addf(out, "Nothing was learned from answers yet.\n");
	json_array_foreach (trust, i, entry) {
		if (r == 0)
			r = table_addf(&table, "%.2f", number(entry, "trust"));
		if (r == 0)
			r = table_addf(&table, "%.1f", number(entry, "answers"));
		if (r == 0)
			r = table_addf(&table, "%+.2f", number(entry, "effect"));
		for (size_t k = 0; k < ARRAY_SIZE(keys) && r == 0; k++)
			r = add_string(&table, entry, keys[k]);
	}
	return r < 0 ? r : print_rows(&table, json_array_size(trust), term, out);
}

static int add_time(struct table *table, const json_t *object, const char *key)
{
	OWNED_TEXT struct text cell = { 0 };
	int64_t time;
	int r;

	if (moment_parse(shown_string(object, key), &time) < 0)
		return table_add(table, "-");
	r = moment_add(&cell, time);
	return r < 0 ? r : table_add(table, cell.data);
}

int view_canaries(const json_t *canaries, const struct term *term, struct text *out)
{
	static const char *const heads[] = { "NAME", "KIND", "SINCE", "SEEN", "PATH" };
	OWNED_TABLE struct table table = { .columns = ARRAY_SIZE(heads) };
	const json_t *canary;
	size_t i;
	int r = add_heads(&table, heads);

	if (!json_array_size(canaries))
		return r < 0 ? r : text_addf(out, "There are no canaries.\n");
	json_array_foreach (canaries, i, canary) {
		if (r == 0)
			r = add_string(&table, canary, "name");
		if (r == 0)
			r = add_string(&table, canary, "kind");
		if (r == 0)
			r = add_time(&table, canary, "since");
		if (r == 0)
			r = add_time(&table, canary, "seen");
		if (r == 0)
			r = add_string(&table, canary, "path");
	}
	return r < 0 ? r : print_rows(&table, json_array_size(canaries), term, out);
}
