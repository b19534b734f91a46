/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What is to be seen on a screen: lines of text, in spans that each have a style and a column of
 * their own. Made by views, drawn by curses.c. All text in it is escaped already, and columns are
 * those of term_columns(), the most that a terminal may need: where it needs less, the next span
 * keeps its column.
 */
#pragma once

#include "lib/base/base.h"

/* One of the first ones, perhaps with PICTURE_REVERSE. Each only repeats what a word tells. */
enum picture_style {
	PICTURE_PLAIN = 0,
	PICTURE_DIM,
	PICTURE_BOLD,
	PICTURE_ALERT, /* refused, lost */
	PICTURE_HELD, /* waits for an answer */
	PICTURE_STYLES,
	PICTURE_REVERSE = 0x100,
	PICTURE_BAR = PICTURE_REVERSE, /* what frames the rest: the first and the last line */
	PICTURE_CHOSEN = PICTURE_REVERSE,
};

/* From here to the next span, or to the end of the line. */
struct picture_span {
	size_t start; /* byte of the line's text */
	unsigned int column;
	unsigned int style;
};

struct picture_line {
	struct text text;
	struct picture_span *spans;
	size_t n_spans;
	unsigned int columns; /* in use */
};

/* Starts as {0}. The first failure, -ENOMEM, sticks in `r`; then nothing is done any more. */
struct picture {
	struct picture_line *lines;
	size_t count;
	bool cut; /* some value is there without its middle */
	size_t scroll_max; /* lines of details that can be above the window */
	int r;
};

/* How a text is made to take a number of columns. */
enum picture_fit {
	PICTURE_LEFT, /* cut at its end */
	PICTURE_RIGHT, /* likewise, and at the right edge */
	PICTURE_MIDDLE, /* cut in its middle: paths */
};

/* Each copies its text, and returns picture->r. */

/* A line, cut to so many columns; 0: no limit. */
int picture_add(struct picture *picture, unsigned int style, unsigned int columns,
		const char *text);
int picture_add_lines(struct picture *picture, const char *const *lines, size_t count);

/* All of a screen: the text in its first line, and nothing in the others. */
int picture_fill(struct picture *picture, unsigned int rows, unsigned int columns,
		 const char *text);

/* An empty line, for the functions below, which add to the last line. */
int picture_begin(struct picture *picture);
int picture_put(struct picture *picture, unsigned int style, const char *text);
int picture_take(struct picture *picture, unsigned int style,
		 char *text); /* frees it; NULL: none */
#define picture_putf(picture, style, ...) picture_take(picture, style, text_format(__VA_ARGS__))
/* Exactly so many columns. */
int picture_cell(struct picture *picture, unsigned int style, unsigned int columns,
		 enum picture_fit fit, const char *text);

/* A line in the style of a bar: the left text, and where there is room the right one at its end. */
int picture_add_bar(struct picture *picture, unsigned int columns, const char *left,
		    const char *right);

/*
 * A label of PICTURE_LABEL columns and a value, wrapped into as many lines of `columns` as it
 * needs; where these are more than `most`, without its middle. Nothing where the value is empty.
 */
#define PICTURE_LABEL 11
int picture_add_value(struct picture *picture, const char *label, const char *value,
		      unsigned int columns, unsigned int most);

/*
 * `rows` lines of another picture, from `first` on, cut to `columns`, into an area of this one;
 * lines that it does not have are empty. What is left of the area was added before, and nothing
 * right of it.
 */
struct picture_place {
	unsigned int row, column, rows, columns;
};
int picture_copy(struct picture *picture, const struct picture_place *place,
		 const struct picture *from, size_t first);

/* Whether there is no difference to be seen. */
bool picture_equal(const struct picture *a, const struct picture *b);

void picture_free(struct picture *picture);

#define OWNED_PICTURE CLEANUP(picture_free)
