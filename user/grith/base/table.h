/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Rows of cells, printed with their columns aligned. Not libsmartcols: it measures and escapes by
 * the locale, so that what is escaped here already would be escaped twice, and in the C locale any
 * character beyond ASCII; and it has no rows between rows for the processes of a session.
 */
#pragma once

#include "line.h"
#include "term.h"

#define TABLE_COLUMNS 16

/* Starts as {.columns = N, .right = ...}. The first failure, -ENOMEM, sticks in `r`. */
struct table {
	size_t columns; /* at most TABLE_COLUMNS */
	unsigned int right; /* bit set of columns aligned to the right, for numbers */
	int r;
	char **cells; /* row by row */
	size_t count;
	unsigned int widths[TABLE_COLUMNS];
};

/* The next cell of a row, its text copied. Each returns table->r. */
int table_add(struct table *table, const char *text);
int table_take(struct table *table, char *text); /* not copied; NULL: there was no memory for it */
#define table_addf(table, ...) table_take(table, text_format(__VA_ARGS__))
int table_add_cells(struct table *table, const char *const *texts, size_t count);
int table_add_line(struct table *table, struct line *line); /* which is empty afterwards */
/* The string at `key`, escaped, or "-". */
int table_add_member(struct table *table, const json_t *object, const char *key);

/* A row, or all of them, cut to the terminal's width; the last column is not padded. */
int table_print_row(const struct table *table, size_t row, const struct term *term,
		    struct text *out);
int table_print(const struct table *table, const struct term *term, struct text *out);

void table_free(struct table *table);
#define OWNED_TABLE CLEANUP(table_free)
