/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Rows of cells, printed with their columns aligned.
 */
#pragma once

#include <stddef.h>

#include "term.h"

#define TABLE_COLUMNS 16

/* Starts as {.columns = N, .right = ...}. */
struct table {
	size_t columns; /* at most TABLE_COLUMNS */
	unsigned int right; /* bit set of columns aligned to the right, for numbers */
	char **cells; /* row by row */
	size_t count, size;
	unsigned int widths[TABLE_COLUMNS];
};

/* The next cell of a row; the text is copied. 0 or -ENOMEM. */
int table_add(struct table *table, const char *text);
int table_addf(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A row, cut to the terminal's width; the last column is not padded. 0 or -ENOMEM. */
int table_print_row(const struct table *table, size_t row, const struct term *term,
		    struct text *out);

void table_free(struct table *table);

static inline void table_freep(struct table *table)
{
	table_free(table);
}

#define OWNED_TABLE CLEANUP(table_freep)
