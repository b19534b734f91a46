/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What is to be seen on a screen: lines of text, each with one style. Made by views, drawn by
 * screen.c. All text in it is escaped already, and columns are those of term_columns().
 */
#ifndef GRITH_PICTURE_H
#define GRITH_PICTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "text.h"

enum picture_style {
	PICTURE_PLAIN = 0,
	PICTURE_BAR, /* the first and last line, and the one between list and details */
	PICTURE_CHOSEN,
	PICTURE_DIM,
	PICTURE_BOLD,
	PICTURE_ALERT,
};

struct picture_line {
	struct text text;
	enum picture_style style;
	unsigned int label; /* leading columns that say what the rest is, drawn bold */
};

/* Starts as {0}. */
struct picture {
	struct picture_line *lines;
	size_t count;
	bool cut; /* some value is there without its middle */
	size_t scroll_max; /* lines of details that can be above the window */
};

/* The text is copied. 0 or -ENOMEM. */
int picture_add(struct picture *picture, enum picture_style style, unsigned int label,
		const char *text);

/*
 * A label of PICTURE_LABEL columns and a value, wrapped into as many lines of `columns` as it
 * needs; where these are more than `most`, without its middle. Nothing where the value is empty.
 */
#define PICTURE_LABEL 11
int picture_add_value(struct picture *picture, const char *label, const char *value,
		      unsigned int columns, unsigned int most);

void picture_free(struct picture *picture);

static inline void picture_freep(struct picture *picture)
{
	picture_free(picture);
}

#define OWNED_PICTURE CLEANUP(picture_freep)

#endif
