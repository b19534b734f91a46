/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What all charts have in common.
 */
#include "grith/base/base.h"
#include "charts.h"
#include "value.h"

#define CHARACTER 0.58 /* average width of a character, of the font's size */

void chart_begin(struct markup *m, const char *title, const char *about, unsigned int height)
{
	markup_add(m, "<section class=\"chart\"><h2>");
	markup_text(m, title);
	markup_add(m, "</h2>\n<p class=\"about\">");
	markup_text(m, about);
	markup_addf(m, "</p>\n<svg viewBox=\"0 0 %d %u\" role=\"img\" aria-label=\"", CHART_WIDTH,
		    height);
	markup_text(m, title);
	markup_add(m, "\">\n");
}

void chart_end(struct markup *m)
{
	markup_add(m, "</section>\n");
}

void chart_legend(struct markup *m, const char *class, const char *word)
{
	markup_addf(m, "<span class=\"key\"><i class=\"%s\"></i>", class);
	markup_text(m, word);
	markup_add(m, "</span>");
}

void chart_label(struct markup *m, struct record_bytes text, double units, double font)
{
	OWNED_TEXT struct text escaped = { 0 }, cut = { 0 };
	unsigned int columns = units > 0 ? units / (font * CHARACTER) : 0;

	if (m->r == 0)
		m->r = text_add_escaped(&escaped, text.data, text.length);
	if (m->r == 0 && escaped.data)
		m->r = term_add_middle(&cut, escaped.data, columns);
	if (m->r == 0 && cut.data)
		markup_text(m, cut.data);
}

void chart_number(struct markup *m, uint64_t number)
{
	if (m->r == 0)
		m->r = view_report_number(m->out, number);
}
