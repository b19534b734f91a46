/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The making of one table: cells one by one, then sorted and cut.
 */
#include "lib/base/base.h"
#include "internal.h"

static void add_cell(struct table_writer *w, const struct report_cell *cell)
{
	struct report_table *table = w->table;

	if (w->r < 0)
		return;
	if (w->cells == table->size) {
		size_t size = table->size ? table->size * 2 : 64;
		struct report_cell *cells = reallocarray(table->cells, size, sizeof(*cells));

		if (!cells) {
			w->r = -ENOMEM;
			return;
		}
		table->cells = cells;
		table->size = size;
	}
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
	table_text(w, report_bytes(string));
}

void table_name(struct table_writer *w, uint32_t name)
{
	table_text(w, report_name(&w->report->names, name));
}

void table_number(struct table_writer *w, uint64_t number)
{
	add_cell(w, &(struct report_cell) { .number = number });
}

void table_score(struct table_writer *w, int64_t hundredths)
{
	table_number(w, (uint64_t)hundredths);
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

struct order {
	const struct report_table *table;
	size_t column;
};

static int compare_bytes(struct record_bytes a, struct record_bytes b)
{
	size_t length = a.length < b.length ? a.length : b.length;
	int r = length ? memcmp(a.data, b.data, length) : 0;

	return r ? r : (a.length > b.length) - (a.length < b.length);
}

static int compare_rows(const void *a, const void *b, void *arg)
{
	const struct report_cell *x = a, *y = b;
	const struct order *order = arg;
	int r = 0;

	if (x[order->column].number != y[order->column].number)
		return x[order->column].number < y[order->column].number ? 1 : -1;
	for (size_t i = 0; i < order->table->n_columns && !r; i++)
		if (order->table->columns[i].kind == REPORT_TEXT)
			r = compare_bytes(x[i].text, y[i].text);
	return r;
}

void table_finish(struct table_writer *w, size_t column)
{
	struct report_table *table = w->table;

	if (w->r < 0 || !table->n_rows)
		return;
	qsort_r(table->cells, table->n_rows, table->n_columns * sizeof(*table->cells), compare_rows,
		&(struct order) { table, column });
	if (table->n_rows > REPORT_ROWS_MAX)
		table->n_rows = REPORT_ROWS_MAX;
}

size_t report_column(const struct report_table *table, const char *key)
{
	size_t i;

	for (i = 0; i + 1 < table->n_columns; i++)
		if (!strcmp(table->columns[i].key, key))
			break;
	return i;
}
