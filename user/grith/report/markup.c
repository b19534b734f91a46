/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Escaping in two steps: what a terminal must not see is made visible first, as in all outputs,
 * then what HTML would take for its own becomes a reference.
 */
#include <stdarg.h>

#include "markup.h"

void markup_add(struct markup *m, const char *markup)
{
	if (m->r == 0)
		m->r = text_add(m->out, markup, strlen(markup));
}

void markup_addf(struct markup *m, const char *format, ...)
{
	OWNED_MEM char *text = NULL;
	va_list arguments;

	if (m->r < 0)
		return;
	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0) {
		text = NULL;
		m->r = -ENOMEM;
	}
	va_end(arguments);
	if (text)
		markup_add(m, text);
}

static void add_escaped(struct markup *m, const char *text, bool is_path)
{
	for (const char *p = text; *p && m->r == 0; p++) {
		size_t plain = strcspn(p, is_path ? "<>&\"'/" : "<>&\"'");

		m->r = text_add(m->out, p, plain);
		p += plain;
		if (!*p)
			break;
		if (*p == '/')
			markup_add(m, "/<wbr>");
		else
			markup_addf(m, "&#%d;", *p);
	}
}

void markup_text(struct markup *m, const char *text)
{
	add_escaped(m, text, false);
}

void markup_path(struct markup *m, const char *text)
{
	add_escaped(m, text, true);
}

void markup_bytes(struct markup *m, struct record_bytes bytes)
{
	OWNED_TEXT struct text escaped = { 0 };

	if (m->r == 0)
		m->r = text_add_escaped(&escaped, bytes.data, bytes.length);
	if (m->r == 0 && escaped.data)
		markup_text(m, escaped.data);
}

/* These characters are in strings only, where they may be written in this way. */
void markup_json(struct markup *m, const char *json, size_t length)
{
	for (size_t i = 0, plain; i < length && m->r == 0; i += plain) {
		for (plain = 0; i + plain < length; plain++)
			if (json[i + plain] == '<' || json[i + plain] == '>' ||
			    json[i + plain] == '&')
				break;
		if (plain) {
			m->r = text_add(m->out, json + i, plain);
		} else {
			m->r = text_addf(m->out, "\\u%04x", json[i]);
			plain = 1;
		}
	}
}
