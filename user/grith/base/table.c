/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Widths are those of the widest cell of each column, two spaces lie between columns.
 */
#include <stdarg.h>
#include <string.h>

#include "table.h"

static int append(struct table *table, char *cell)
{
	unsigned int columns = term_columns(cell);
	size_t column;

	if (table->count == table->size) {
		size_t size = table->size ? 2 * table->size : 64;
		char **cells = reallocarray(table->cells, size, sizeof(*cells));

		if (!cells) {
			free(cell);
			return -ENOMEM;
		}
		table->cells = cells;
		table->size = size;
	}
	column = table->count % table->columns;
	if (columns > table->widths[column])
		table->widths[column] = columns;
	table->cells[table->count++] = cell;
	return 0;
}

int table_add(struct table *table, const char *text)
{
	char *cell = strdup(text ? text : "");

	return cell ? append(table, cell) : -ENOMEM;
}

int table_addf(struct table *table, const char *format, ...)
{
	va_list arguments;
	char *cell;
	int r;

	va_start(arguments, format);
	r = vasprintf(&cell, format, arguments);
	va_end(arguments);
	return r < 0 ? -ENOMEM : append(table, cell);
}

int table_print_row(const struct table *table, size_t row, const struct term *term,
		    struct text *out)
{
	OWNED_TEXT struct text line = { 0 };
	int r = 0;

	for (size_t column = 0; column < table->columns && r == 0; column++) {
		size_t i = row * table->columns + column;
		const char *cell = i < table->count ? table->cells[i] : "";
		int padding = table->widths[column] - term_columns(cell);
		bool right = table->right & 1u << column;

		r = text_addf(&line, "%s%*s%s", column ? "  " : "", right ? padding : 0, "", cell);
		if (r == 0 && !right && column + 1 < table->columns)
			r = text_addf(&line, "%*s", padding, "");
	}
	if (r == 0)
		r = term_add_cut(out, line.data ? line.data : "", term->width);
	return r < 0 ? r : text_add(out, "\n", 1);
}

void table_free(struct table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->count; i++)
		free(table->cells[i]);
	free(table->cells);
	table->cells = NULL;
	table->count = table->size = 0;
}
