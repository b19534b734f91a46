/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What the output goes to, and how much of the terminal's abilities to use.
 */
#pragma once

#include "lib/base/base.h"

struct term {
	bool colour;
	bool utf8; /* line drawing may be used */
	unsigned int width; /* columns; 0: no limit */
};

/* Of a descriptor and the environment: NO_COLOR, TERM, LC_ALL and its kin. */
struct term term_of(int fd);

enum term_colour { TERM_PLAIN = 0, TERM_DIM, TERM_BOLD, TERM_RED, TERM_GREEN, TERM_YELLOW };

/* What starts a colour; TERM_PLAIN ends it. "" where there are no colours. */
const char *term_colour(const struct term *term, enum term_colour colour);

/* Columns that escaped text takes at the most. */
unsigned int term_columns(const char *text);

/* The text after as many characters as fit into so many columns, or its end. */
const char *term_skip(const char *text, unsigned int columns);

/* Adds the text; where it is wider than so many columns, without its middle: "/home/...file". */
int term_add_middle(struct text *out, const char *text, unsigned int columns);

/* Adds the text, cut to so many columns with "..." at its end where it is wider; 0: no limit. */
int term_add_cut(struct text *out, const char *text, unsigned int columns);
