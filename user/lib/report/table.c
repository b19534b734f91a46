/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The making of one table: cells one by one, or a row for each key of a tally.
 */
#include "internal.h"

static void add_cell(struct table_writer *w, const struct report_cell *cell)
{
	struct report_table *table = w->table;

	if (w->r < 0)
		return;
	w->r = ARRAY_GROW(table->cells, w->cells);
	if (w->r < 0)
		return;
	table->cells[w->cells++] = *cell;
	table->n_rows = w->cells / table->n_columns;
	table->total = table->n_rows;
}

void table_text(struct table_writer *w, struct record_bytes text)
{
	add_cell(w, &(struct report_cell) { .text = text });
}

void table_string(struct table_writer *w, const char *string)
{
	table_text(w, bytes_of(string ? string : ""));
}

void table_name(struct table_writer *w, uint32_t name)
{
	table_text(w, report_name(&w->report->names, name));
}

void table_number(struct table_writer *w, uint64_t number)
{
	add_cell(w, &(struct report_cell) { .number = number });
}

void table_owned(struct table_writer *w, char *string)
{
	struct report_table *table = w->table;

	if (w->r == 0 && !string)
		w->r = -ENOMEM;
	if (w->r == 0)
		w->r = ARRAY_GROW(table->owned, table->n_owned);
	if (w->r < 0) {
		free(string);
		return;
	}
	table->owned[table->n_owned++] = string;
	table_string(w, string);
}

static void add_value(struct table_writer *w, const struct tally_key *key,
		      const struct tally_entry *entry, const struct report_column *column)
{
	const uint64_t values[ROW_COUNTS] = {
		[ROW_A] = key->a, [ROW_B] = key->b,	      [ROW_C] = key->c,
		[ROW_D] = key->d, [ROW_FIRST] = entry->first,
	};
	const unsigned int from = column->from;
	uint64_t value = from < ROW_COUNTS ? values[from] : entry->n[from - ROW_COUNTS];

	if (from == ROW_OP)
		table_string(w, op_name(key->e));
	else if (from == ROW_VERDICT)
		table_string(w, verdict_name(key->d));
	else if (from >= ROW_WORDS && from < ROW_COUNTS)
		table_string(w, w->section->words[from - ROW_WORDS](w->report, key));
	else if (report_is_text(column->kind))
		table_name(w, value);
	else
		table_number(w, value);
}

void table_row(struct table_writer *w, const struct tally *tally, uint32_t number)
{
	for (size_t i = 0; i < w->table->n_columns; i++)
		add_value(w, tally_key(tally, number), &tally->entries[number],
			  &w->table->columns[i]);
}

void table_tally(struct table_writer *w, const struct tally *tally)
{
	for (uint32_t i = 0; i < tally->keys.count; i++)
		table_row(w, tally, i);
}

size_t report_column(const struct report_table *table, const char *key)
{
	size_t i;

	for (i = 0; i + 1 < table->n_columns; i++)
		if (!strcmp(table->columns[i].key, key))
			break;
	return i;
}
