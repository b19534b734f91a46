/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Digits in groups of three, times of the local zone, scores with two decimals.
 */
#include <jansson.h>

#include "value.h"

void show_number(struct line *w, uint64_t number)
{
	char digits[24], grouped[32];
	int length = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)number);
	size_t n = 0;

	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			grouped[n++] = ',';
		grouped[n++] = digits[i];
	}
	grouped[n] = '\0';
	line_add(w, grouped);
}

void show_count(struct line *w, enum report_count count, uint64_t value)
{
	show_number(w, count == REPORT_DURATION ? value / 1000 : value);
	if (count == REPORT_DURATION)
		line_addf(w, ".%u s", (unsigned int)(value % 1000 / 100));
}

void show_time(struct line *w, uint64_t nanoseconds)
{
	line_add_moment(w, nanoseconds / 1000000);
}

void show_cell(struct line *w, const struct report_column *column, const struct report_cell *cell)
{
	if (report_is_text(column->kind))
		line_add_bytes(w, cell->text);
	else if (column->kind == REPORT_SCORE)
		line_addf(w, "%+.2f", (int64_t)cell->number / 100.0);
	else if (column->kind == REPORT_PORT)
		line_add_u64(w, cell->number);
	else if (column->kind != REPORT_TIME)
		show_number(w, cell->number);
	else if (cell->number)
		show_time(w, cell->number);
}

void show_command(struct line *w, struct record_bytes command)
{
	json_auto_t *words =
		command.length ? json_loadb(command.data, command.length, 0, NULL) : NULL;

	line_add_command(w, words);
}

struct record_bytes title_of_session(const struct report_session *session)
{
	return session->name.length ? session->name : session->id;
}

bool column_is_used(const struct report_table *table, size_t column, size_t rows)
{
	for (size_t row = 0; row < rows; row++) {
		const struct report_cell *cell = report_cell(table, row, column);

		if (cell->text.length || cell->number)
			return true;
	}
	return false;
}
