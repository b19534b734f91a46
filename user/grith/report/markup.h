/* SPDX-License-Identifier: MPL-2.0 */
/*
 * HTML and SVG, added to a line. Bytes that anybody may have chosen go through markup_bytes() or
 * were escaped as for a terminal before: so they cannot change the document, the direction of its
 * text, or what is copied from it.
 */
#pragma once

#include "grith/base/base.h"

/* For the text of an element and for an attribute in double quotes; of this program. */
void markup_text(struct line *w, const char *text);

/* The same of bytes, all of them or without their middle where they are too wide. */
void markup_bytes(struct line *w, struct record_bytes bytes);
void markup_middle(struct line *w, struct record_bytes bytes, unsigned int columns);

/* The same of what was escaped for a terminal, and for an element that may break at slashes. */
void markup_shown(struct line *w, const struct line *shown);
void markup_path(struct line *w, const struct line *shown);

/* JSON for a script element: nothing in it can end the element. */
void markup_json(struct line *w, const char *json);
