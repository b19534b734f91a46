/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Which program started which, and what each of them touched: a line for each, with a bar for each
 * kind of operation. A bar's length is as the square root of its number, so that small ones can be
 * seen beside large ones; the numbers stand there too.
 */
#include <math.h>

#include "charts.h"

#define LINE 22
#define HEADING 24
#define LINES_MAX 80
#define NAMES 420 /* units of width */
#define INDENT 16
#define FONT 13

static const struct bar {
	const char *key, *class, *title;
} bars[] = {
	{ "reads", "files", "reads" },		{ "writes", "writes", "writes" },
	{ "scans", "others", "scans" },		{ "connects", "network", "connects" },
	{ "touches", "programs", "processes" }, { "refused", "refused", "not allowed" },
};

enum { BARS = ARRAY_SIZE(bars) };

#define BAR_SPACE ((CHART_WIDTH - NAMES) / (double)BARS)
#define BAR_WIDTH (BAR_SPACE - 58)

static void add_name(struct line *w, const struct report_table *table, size_t row, double y)
{
	struct record_bytes program = chart_text(table, row, "program"), name = program;
	const char *slash = program.length ? memrchr(program.data, '/', program.length) : NULL;
	uint64_t depth = chart_value(table, row, "depth"),
		 processes = chart_value(table, row, "processes");
	double x = depth * INDENT;

	if (slash && slash + 1 < program.data + program.length)
		name = (struct record_bytes) { slash + 1,
					       program.data + program.length - slash - 1 };
	if (depth)
		line_addf(w, "<path class=\"branch\" d=\"M%.1f %.1fv%d h8\"/>", x - INDENT + 5,
			  y - LINE + 6, LINE - 10);
	line_addf(w, "<text x=\"%.1f\" y=\"%.1f\"><title>", x, y);
	markup_bytes(w, program);
	line_add(w, "</title>");
	chart_label(w, name, NAMES - x - 60, FONT);
	if (processes > 1) {
		line_add(w, "<tspan class=\"dim\"> \xc3\x97");
		show_number(w, processes);
		line_add(w, "</tspan>");
	}
	line_add(w, "</text>\n");
}

static void add_bars(struct line *w, const struct report_table *table, size_t row, double y,
		     double most)
{
	for (size_t i = 0; i < BARS; i++) {
		uint64_t number = chart_value(table, row, bars[i].key);
		double x = NAMES + i * BAR_SPACE, width = BAR_WIDTH * sqrt(number) / sqrt(most);

		if (!number)
			continue;
		line_addf(w,
			  "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"12\" "
			  "rx=\"1\" data-table=\"tree\" data-row=\"%zu\" data-column=\"%s\" "
			  "data-value=\"%llu\"/><text class=\"axis\" x=\"%.1f\" y=\"%.1f\">",
			  bars[i].class, x, y - 10.5, width < 1.5 ? 1.5 : width, row, bars[i].key,
			  (unsigned long long)number, x + width + 6, y);
		show_number(w, number);
		line_add(w, "</text>\n");
	}
}

void chart_tree(struct line *w, const struct report_result *result)
{
	const struct report_table *table = &result->tables[REPORT_TABLE_TREE];
	size_t lines = table->n_rows < LINES_MAX ? table->n_rows : LINES_MAX;
	double most = 1;

	if (!lines)
		return;
	for (size_t row = 0; row < lines; row++)
		for (size_t i = 0; i < BARS; i++)
			most = fmax(most, chart_value(table, row, bars[i].key));
	chart_begin(
		w, "Who did it",
		"Programs below the one that started them, with the number of processes where it "
		"is more than one. Bars are to the square root.",
		HEADING + lines * LINE + 4);
	for (size_t i = 0; i < BARS; i++)
		line_addf(w, "<text class=\"axis\" x=\"%.1f\" y=\"12\">%s</text>",
			  NAMES + i * BAR_SPACE, bars[i].title);
	for (size_t row = 0; row < lines; row++) {
		double y = HEADING + row * LINE + 14;

		add_name(w, table, row, y);
		add_bars(w, table, row, y, most);
	}
	line_add(w, "</svg>");
	if (table->total > lines)
		line_addf(w, "<p class=\"about\">... and %llu more, in the table below.</p>",
			  (unsigned long long)(table->total - lines));
	chart_end(w);
}
