/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Where connections and datagrams went: a line for each destination and program, with how often it
 * was done, failed, or was refused.
 */
#include <string.h>

#include "charts.h"

#define LINE 24
#define LINES_MAX 40
#define NAMES 470 /* units of width, for host, address and port */
#define PROGRAM 200 /* for the program, at the right end */
#define BARS (CHART_WIDTH - NAMES - PROGRAM - 90)
#define FONT 13

static const struct report_cell *cell(const struct report_table *table, size_t row, const char *key)
{
	return report_cell(table, row, report_column(table, key));
}

static bool is_text(const struct report_cell *value, const char *text)
{
	return value->text.length == strlen(text) &&
	       !memcmp(value->text.data, text, value->text.length);
}

static bool is_destination(const struct report_table *table, size_t row)
{
	const struct report_cell *op = cell(table, row, "op");

	return is_text(op, "connect") || is_text(op, "send");
}

static void add_name(struct markup *m, const struct report_table *table, size_t row, double y)
{
	struct record_bytes host = cell(table, row, "host")->text;
	struct record_bytes address = cell(table, row, "address")->text;
	unsigned int port = cell(table, row, "port")->number;
	bool unusual = cell(table, row, "remark")->text.length;

	markup_addf(m, "<text x=\"0\" y=\"%.1f\">", y);
	if (host.length) {
		chart_label(m, host, NAMES / 2.0, FONT);
		markup_add(m, " <tspan class=\"dim\">");
	}
	chart_label(m, address, NAMES / 2.0, FONT);
	if (host.length)
		markup_add(m, "</tspan>");
	markup_addf(m, "<tspan class=\"%s\"> :%u</tspan>", unusual ? "alert" : "dim", port);
	if (unusual)
		markup_add(m, "<tspan class=\"alert\">  unusual port</tspan>");
	markup_add(m, "</text>\n");
}

static void add_bars(struct markup *m, const struct report_table *table, size_t row, double y,
		     double most)
{
	static const struct {
		const char *key, *class;
	} parts[] = { { "done", "network" }, { "failed", "others" }, { "refused", "refused" } };
	double x = NAMES;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		uint64_t number = cell(table, row, parts[i].key)->number;
		double width = BARS * number / most;

		if (!number)
			continue;
		width = width < 2 ? 2 : width;
		markup_addf(m,
			    "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"13\" "
			    "rx=\"1\" data-table=\"network\" data-row=\"%zu\" data-column=\"%s\" "
			    "data-value=\"%llu\"><title>%llu %s</title></rect>\n",
			    parts[i].class, x, y - 11, width, row, parts[i].key,
			    (unsigned long long)number, (unsigned long long)number, parts[i].key);
		x += width + 1;
	}
	markup_addf(m, "<text class=\"axis\" x=\"%.1f\" y=\"%.1f\">", x + 5, y);
	chart_number(m, cell(table, row, "tried")->number);
	markup_add(m, "</text>");
}

static void add_program(struct markup *m, const struct report_table *table, size_t row, double y)
{
	markup_addf(m, "<text class=\"dim\" x=\"%d\" y=\"%.1f\">", CHART_WIDTH - PROGRAM, y);
	chart_label(m, cell(table, row, "program")->text, PROGRAM, FONT);
	markup_add(m, "</text>\n");
}

void chart_network(struct markup *m, const struct report_result *result)
{
	const struct report_table *table = &result->tables[REPORT_TABLE_NETWORK];
	size_t lines = 0, line = 0;
	double most = 1;

	for (size_t row = 0; row < table->n_rows; row++)
		if (is_destination(table, row) && lines < LINES_MAX) {
			double tried = cell(table, row, "tried")->number;

			most = tried > most ? tried : most;
			lines++;
		}
	if (!lines)
		return;
	chart_begin(m, "Where it connected to",
		    "Connections and datagrams, by destination and program.", lines * LINE + 4);
	for (size_t row = 0; row < table->n_rows && line < lines; row++) {
		double y = line * LINE + 16;

		if (!is_destination(table, row))
			continue;
		add_name(m, table, row, y);
		add_bars(m, table, row, y, most);
		add_program(m, table, row, y);
		line++;
	}
	markup_add(m, "</svg>\n<p class=\"legend\">");
	chart_legend(m, "network", "done");
	chart_legend(m, "others", "failed");
	chart_legend(m, "refused", "refused");
	markup_add(m, "</p>");
	chart_end(m);
}
