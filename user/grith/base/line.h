/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Text for people, put together piece by piece where there are millions of lines: no memory for
 * each piece, no format to be read. What is not this program's own is escaped on the way.
 */
#pragma once

#include "lib/base/base.h"
#include "lib/record/record.h"

/* The first failure sticks in `r`, and everything after it does nothing. */
struct line {
	struct text *out;
	int r;
};

/* As it is. Nearly always a literal, whose length is known where this is called. */
static inline void line_add(struct line *line, const char *text)
{
	if (line->r == 0)
		line->r = text_add(line->out, text, strlen(text));
}

void line_add_bytes(struct line *line, struct record_bytes bytes); /* escaped */
void line_add_u64(struct line *line, uint64_t value);
void line_add_hundredths(struct line *line, int value); /* "-1.50" */

/* Spaces after what was added from `start` on, up to so many columns, and one more. */
void line_pad(struct line *line, size_t start, unsigned int columns);
