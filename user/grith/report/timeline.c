/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Operations over time: stacked bars, and below them, to their own scale, what was refused.
 */
#include "charts.h"

#define LEFT 56
#define TOP 8
#define HEIGHT 150
#define GAP 26
#define REFUSED_HEIGHT 40
#define BOTTOM 24
#define WIDTH (CHART_WIDTH - LEFT)

struct series {
	const char *key, *class, *word;
};

static const struct series stacked[] = {
	{ "files", "files", "files" },
	{ "programs", "programs", "programs" },
	{ "network", "network", "network" },
	{ "others", "others", "others" },
};

static uint64_t sum(const struct report_table *table, size_t row)
{
	uint64_t all = 0;

	for (size_t i = 0; i < ARRAY_SIZE(stacked); i++)
		all += chart_value(table, row, stacked[i].key);
	return all;
}

/* The next of 1, 2, 5, 10, 20, ... */
static uint64_t round_up(uint64_t number)
{
	uint64_t step = 1;

	while (step < number && step < UINT64_MAX / 10) {
		if (step * 2 >= number)
			return step * 2;
		if (step * 5 >= number)
			return step * 5;
		step *= 10;
	}
	return step;
}

static void add_axis(struct line *w, double y, double height, uint64_t most)
{
	for (int half = 0; half <= 2; half++) {
		double at = y + height * (2 - half) / 2;

		if (half == 1 && (most < 2 || height < 100))
			continue;
		line_addf(w, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>",
			  LEFT, CHART_WIDTH, at, at);
		line_addf(w, "<text class=\"axis end\" x=\"%d\" y=\"%.1f\">", LEFT - 8, at + 4);
		show_number(w, most * half / 2);
		line_add(w, "</text>\n");
	}
}

static void add_bar(struct line *w, const struct series *series, size_t row, uint64_t number,
		    const double box[4])
{
	line_addf(w,
		  "<rect class=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
		  "data-table=\"timeline\" data-row=\"%zu\" data-column=\"%s\" "
		  "data-value=\"%llu\"><title>%llu %s</title></rect>\n",
		  series->class, box[0], box[1], box[2], box[3], row, series->key,
		  (unsigned long long)number, (unsigned long long)number, series->word);
}

static void add_bars(struct line *w, const struct report_table *table, uint64_t most)
{
	double step = (double)WIDTH / table->n_rows, width = step > 2 ? step - 1 : step;

	for (size_t row = 0; row < table->n_rows; row++) {
		double y = TOP + HEIGHT;

		for (size_t i = 0; i < ARRAY_SIZE(stacked); i++) {
			uint64_t number = chart_value(table, row, stacked[i].key);
			double height = (double)HEIGHT * number / most;

			if (!number)
				continue;
			y -= height;
			add_bar(w, &stacked[i], row, number,
				(double[]) { LEFT + row * step, y, width, height });
		}
	}
}

static void add_refused(struct line *w, const struct report_table *table, uint64_t most)
{
	static const struct series refused = { "refused", "refused", "not allowed at once" };
	double step = (double)WIDTH / table->n_rows, width = step > 4 ? step - 1 : 3;

	for (size_t row = 0; row < table->n_rows; row++) {
		uint64_t number = chart_value(table, row, "refused");
		double height = (double)REFUSED_HEIGHT * number / most;

		if (number)
			add_bar(w, &refused, row, number,
				(double[]) { LEFT + row * step,
					     TOP + HEIGHT + GAP + REFUSED_HEIGHT - height, width,
					     height });
	}
}

/* Seconds from the beginning, at five places. */
static void add_times(struct line *w, const struct report_table *table, double y)
{
	double span = 0;

	if (table->n_rows > 1)
		span = (double)(report_cell(table, 1, 0)->number -
				report_cell(table, 0, 0)->number) *
		       table->n_rows / 1e9;
	for (int i = 0; i <= 4 && span > 0; i++)
		line_addf(w, "<text class=\"axis %s\" x=\"%.1f\" y=\"%.1f\">%.*f s</text>\n",
			  i == 0   ? ""
			  : i == 4 ? "end"
				   : "middle",
			  LEFT + (double)WIDTH * i / 4, y, span < 20 ? 2 : 0, span * i / 4);
}

void chart_timeline(struct line *w, const struct report_result *result)
{
	const struct report_table *table = &result->tables[REPORT_TABLE_TIMELINE];
	uint64_t most = 1, most_refused = 0;

	if (!table->n_rows)
		return;
	for (size_t row = 0; row < table->n_rows; row++) {
		uint64_t refused = chart_value(table, row, "refused");

		most = sum(table, row) > most ? sum(table, row) : most;
		most_refused = refused > most_refused ? refused : most_refused;
	}
	most = round_up(most);
	chart_begin(w, "What happened when",
		    "Operations in each span of time; below, those that were not allowed at once.",
		    TOP + HEIGHT + GAP + REFUSED_HEIGHT + BOTTOM);
	add_axis(w, TOP, HEIGHT, most);
	add_bars(w, table, most);
	add_axis(w, TOP + HEIGHT + GAP, REFUSED_HEIGHT, round_up(most_refused ? most_refused : 1));
	if (most_refused)
		add_refused(w, table, round_up(most_refused));
	add_times(w, table, TOP + HEIGHT + GAP + REFUSED_HEIGHT + BOTTOM - 4);
	line_add(w, "</svg>\n<p class=\"legend\">");
	for (size_t i = 0; i < ARRAY_SIZE(stacked); i++)
		chart_legend(w, stacked[i].class, stacked[i].word);
	chart_legend(w, "refused", "refused, hidden, held");
	line_add(w, "</p>");
	chart_end(w);
}
