/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Where connections and datagrams went: a line for each destination and program, with how often it
 * was done, failed, or was refused.
 */
#include "charts.h"

#define LINE 24
#define LINES_MAX 40
#define NAMES 470 /* units of width, for host, address and port */
#define PROGRAM 200 /* for the program, at the right end */
#define BARS (CHART_WIDTH - NAMES - PROGRAM - 90)
#define FONT 13

static bool is_destination(const struct report_table *table, size_t row)
{
	struct record_bytes op = chart_text(table, row, "op");

	return bytes_are(op, "connect") || bytes_are(op, "send");
}

static void add_name(struct line *w, const struct report_table *table, size_t row, double y)
{
	struct record_bytes host = chart_text(table, row, "host");
	struct record_bytes address = chart_text(table, row, "address");
	unsigned int port = chart_value(table, row, "port");
	bool unusual = chart_text(table, row, "remark").length;

	line_addf(w, "<text x=\"0\" y=\"%.1f\">", y);
	if (host.length) {
		chart_label(w, host, NAMES / 2.0, FONT);
		line_add(w, " <tspan class=\"dim\">");
	}
	chart_label(w, address, NAMES / 2.0, FONT);
	if (host.length)
		line_add(w, "</tspan>");
	line_addf(w, "<tspan class=\"%s\"> :%u</tspan>", unusual ? "alert" : "dim", port);
	if (unusual)
		line_add(w, "<tspan class=\"alert\">  unusual port</tspan>");
	line_add(w, "</text>\n");
}

static void add_bars(struct line *w, const struct report_table *table, size_t row, double y,
		     double most)
{
	static const struct {
		const char *key, *class;
	} parts[] = { { "done", "network" }, { "failed", "others" }, { "refused", "refused" } };
	double x = NAMES;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		uint64_t number = chart_value(table, row, parts[i].key);
		double width = BARS * number / most;

		if (!number)
			continue;
		width = width < 2 ? 2 : width;
		line_addf(w,
			  "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"13\" "
			  "rx=\"1\" data-table=\"network\" data-row=\"%zu\" data-column=\"%s\" "
			  "data-value=\"%llu\"><title>%llu %s</title></rect>\n",
			  parts[i].class, x, y - 11, width, row, parts[i].key,
			  (unsigned long long)number, (unsigned long long)number, parts[i].key);
		x += width + 1;
	}
	line_addf(w, "<text class=\"axis\" x=\"%.1f\" y=\"%.1f\">", x + 5, y);
	show_number(w, chart_value(table, row, "tried"));
	line_add(w, "</text>");
}

static void add_program(struct line *w, const struct report_table *table, size_t row, double y)
{
	line_addf(w, "<text class=\"dim\" x=\"%d\" y=\"%.1f\">", CHART_WIDTH - PROGRAM, y);
	chart_label(w, chart_text(table, row, "program"), PROGRAM, FONT);
	line_add(w, "</text>\n");
}

void chart_network(struct line *w, const struct report_result *result)
{
	const struct report_table *table = &result->tables[REPORT_TABLE_NETWORK];
	size_t lines = 0, line = 0;
	double most = 1;

	for (size_t row = 0; row < table->n_rows; row++)
		if (is_destination(table, row) && lines < LINES_MAX) {
			double tried = chart_value(table, row, "tried");

			most = tried > most ? tried : most;
			lines++;
		}
	if (!lines)
		return;
	chart_begin(w, "Where it connected to",
		    "Connections and datagrams, by destination and program.", lines * LINE + 4);
	for (size_t row = 0; row < table->n_rows && line < lines; row++) {
		double y = line * LINE + 16;

		if (!is_destination(table, row))
			continue;
		add_name(w, table, row, y);
		add_bars(w, table, row, y, most);
		add_program(w, table, row, y);
		line++;
	}
	line_add(w, "</svg>\n<p class=\"legend\">");
	chart_legend(w, "network", "done");
	chart_legend(w, "others", "failed");
	chart_legend(w, "refused", "refused");
	line_add(w, "</p>");
	chart_end(w);
}
