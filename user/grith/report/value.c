/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Digits in groups of three, times of the local zone, scores with two decimals.
 */
#include <jansson.h>

#include "grith/base/base.h"
#include "value.h"

int view_report_number(struct text *out, uint64_t number)
{
	char digits[24], grouped[32];
	int length = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)number);
	size_t n = 0;

	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			grouped[n++] = ',';
		grouped[n++] = digits[i];
	}
	return text_add(out, grouped, n);
}

int view_report_count(struct text *out, enum report_count count, uint64_t value)
{
	int r;

	if (count != REPORT_DURATION)
		return view_report_number(out, value);
	r = view_report_number(out, value / 1000);
	return r < 0 ? r : text_addf(out, ".%u s", (unsigned int)(value % 1000 / 100));
}

int view_report_cell(struct text *out, const struct report_column *column,
		     const struct report_cell *cell)
{
	switch (column->kind) {
	case REPORT_TEXT:
	case REPORT_PROGRAM:
	case REPORT_WORD:
		return text_add_escaped(out, cell->text.data, cell->text.length);
	case REPORT_TIME:
		return cell->number ? moment_add(out, cell->number / 1000000) : 0;
	case REPORT_SCORE:
		return text_addf(out, "%+.2f", (int64_t)cell->number / 100.0);
	case REPORT_PORT:
		return text_add_u64(out, cell->number);
	default:
		return view_report_number(out, cell->number);
	}
}

int view_report_command(struct record_bytes command, struct text *out)
{
	json_auto_t *words =
		command.length ? json_loadb(command.data, command.length, 0, NULL) : NULL;

	struct line line = { .out = out };

	line_add_command(&line, words);
	return line.r;
}
