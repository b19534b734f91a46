/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Widths are those of the widest cell of each column, two spaces lie between columns.
 */
#include "table.h"

int table_take(struct table *table, char *cell)
{
	unsigned int columns = cell ? term_columns(cell) : 0;
	unsigned int *width = &table->widths[table->count % table->columns];

	if (table->r == 0)
		table->r = cell ? ARRAY_GROW(table->cells, table->count) : -ENOMEM;
	if (table->r < 0) {
		free(cell);
		return table->r;
	}
	if (columns > *width)
		*width = columns;
	table->cells[table->count++] = cell;
	return 0;
}

int table_add(struct table *table, const char *text)
{
	return table_take(table, strdup(text ? text : ""));
}

int table_add_cells(struct table *table, const char *const *texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		table_add(table, texts[i]);
	return table->r;
}

int table_add_line(struct table *table, struct line *line)
{
	if (line->r < 0)
		return table_take(table, NULL);
	table_add(table, line_text(line));
	line->out->length = 0;
	return table->r;
}

int table_add_member(struct table *table, const json_t *object, const char *key)
{
	OWNED_LINE struct line cell = { .out = &cell.own };

	line_add_member(&cell, object, key);
	if (!cell.own.length)
		line_add(&cell, "-");
	return table_add_line(table, &cell);
}

int table_print_row(const struct table *table, size_t row, const struct term *term,
		    struct text *out)
{
	OWNED_LINE struct line line = { .out = &line.own, .r = table->r };

	for (size_t column = 0; column < table->columns; column++) {
		size_t i = row * table->columns + column;
		const char *cell = i < table->count ? table->cells[i] : "";
		int padding = table->widths[column] - term_columns(cell);
		bool right = table->right & 1u << column, last = column + 1 == table->columns;

		line_addf(&line, "%s%*s%s%*s", column ? "  " : "", right ? padding : 0, "", cell,
			  right || last ? 0 : padding, "");
	}
	if (line.r == 0)
		line.r = term_add_cut(out, line_text(&line), term->width);
	return line.r < 0 ? line.r : text_add(out, "\n", 1);
}

int table_print(const struct table *table, const struct term *term, struct text *out)
{
	int r = table->r;

	for (size_t row = 0; row * table->columns < table->count && r == 0; row++)
		r = table_print_row(table, row, term, out);
	return r;
}

void table_free(struct table *table)
{
	for (size_t i = 0; i < table->count; i++)
		free(table->cells[i]);
	free(table->cells);
	table->cells = NULL;
	table->count = 0;
}
