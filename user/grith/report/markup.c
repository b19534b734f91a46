/* SPDX-License-Identifier: MPL-2.0 */
/*
 * HTML is escaped in two steps: what a terminal must not see is made visible first, as in all
 * outputs, then what HTML would take for its own becomes a reference.
 */
#include "markup.h"

static void escape(struct line *w, const char *text, const char *special, bool json)
{
	for (const char *p = text; *p && w->r == 0; p++) {
		size_t plain = strcspn(p, special);

		w->r = text_add(w->out, p, plain);
		p += plain;
		if (!*p)
			break;
		if (*p == '/')
			line_add(w, "/<wbr>");
		else if (json)
			line_addf(w, "\\u%04x", *p);
		else
			line_addf(w, "&#%d;", *p);
	}
}

void markup_text(struct line *w, const char *text)
{
	escape(w, text, "<>&\"'", false);
}

/* These characters are in strings only, where they may be written in this way. */
void markup_json(struct line *w, const char *json)
{
	escape(w, json, "<>&", true);
}

static void add_shown(struct line *w, const struct line *shown, const char *special)
{
	if (w->r == 0)
		w->r = shown->r;
	escape(w, line_text(shown), special, false);
}

void markup_shown(struct line *w, const struct line *shown)
{
	add_shown(w, shown, "<>&\"'");
}

void markup_path(struct line *w, const struct line *shown)
{
	add_shown(w, shown, "<>&\"'/");
}

void markup_bytes(struct line *w, struct record_bytes bytes)
{
	OWNED_LINE struct line shown = { .out = &shown.own };

	line_add_bytes(&shown, bytes);
	markup_shown(w, &shown);
}

void markup_middle(struct line *w, struct record_bytes bytes, unsigned int columns)
{
	OWNED_LINE struct line shown = { .out = &shown.own }, cut = { .out = &cut.own };

	line_add_bytes(&shown, bytes);
	line_add_middle(&cut, line_text(&shown), columns);
	cut.r = cut.r ? cut.r : shown.r;
	markup_shown(w, &cut);
}
