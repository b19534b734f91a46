/* SPDX-License-Identifier: MPL-2.0 */
/*
 * HTML and SVG, written piece by piece into a growing string. What anybody may have chosen goes
 * through markup_bytes() and nothing else: it does nothing there to the document, to the direction
 * of its text, or to who copies from it.
 */
#pragma once

#include "lib/base/base.h"
#include "lib/record/record.h"

/* The first failure sticks in `r`, and everything after it does nothing. */
struct markup {
	struct text *out;
	int r;
};

/* As it is: of this program, or made of numbers. */
void markup_add(struct markup *m, const char *markup);
void markup_addf(struct markup *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Escaped for the text of an element and for an attribute in double quotes. */
void markup_bytes(struct markup *m, struct record_bytes bytes);

/* The same of text that text_add_escaped() has made already, or that is of this program. */
void markup_text(struct markup *m, const char *text);

/* The same for the text of an element, which may go on in another line after each slash. */
void markup_path(struct markup *m, const char *text);

/* JSON for a script element: nothing in it can end the element. */
void markup_json(struct markup *m, const char *json, size_t length);
