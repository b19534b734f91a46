/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Single values of a report as people read them, escaped for a terminal. Pure.
 */
#pragma once

#include "lib/report/report.h"
#include "markup.h"

/* "2,779" */
void show_number(struct line *w, uint64_t number);

/* The number; of a duration "17.9 s". */
void show_count(struct line *w, enum report_count count, uint64_t value);

/* A time of the local zone. */
void show_time(struct line *w, uint64_t nanoseconds);

/* By the column's kind. A port has no commas in it. */
void show_cell(struct line *w, const struct report_column *column, const struct report_cell *cell);

/* A JSON array as a command line. Nothing where it is not one. */
void show_command(struct line *w, struct record_bytes command);

/* The session's name, where it has none its id; where it has neither, length 0. */
struct record_bytes title_of_session(const struct report_session *session);

/* Whether a column has a value in the first so many rows. */
bool column_is_used(const struct report_table *table, size_t column, size_t rows);
