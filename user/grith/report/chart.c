/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What all charts have in common.
 */
#include "charts.h"

#define CHARACTER 0.58 /* average width of a character, of the font's size */

void chart_begin(struct line *w, const char *title, const char *about, unsigned int height)
{
	line_add(w, "<section class=\"chart\"><h2>");
	markup_text(w, title);
	line_add(w, "</h2>\n<p class=\"about\">");
	markup_text(w, about);
	line_addf(w, "</p>\n<svg viewBox=\"0 0 %d %u\" role=\"img\" aria-label=\"", CHART_WIDTH,
		  height);
	markup_text(w, title);
	line_add(w, "\">\n");
}

void chart_end(struct line *w)
{
	line_add(w, "</section>\n");
}

void chart_legend(struct line *w, const char *class, const char *word)
{
	line_addf(w, "<span class=\"key\"><i class=\"%s\"></i>", class);
	markup_text(w, word);
	line_add(w, "</span>");
}

void chart_label(struct line *w, struct record_bytes text, double units, double font)
{
	markup_middle(w, text, units > 0 ? units / (font * CHARACTER) : 0);
}

uint64_t chart_value(const struct report_table *table, size_t row, const char *key)
{
	return report_cell(table, row, report_column(table, key))->number;
}

struct record_bytes chart_text(const struct report_table *table, size_t row, const char *key)
{
	return report_cell(table, row, report_column(table, key))->text;
}
