/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The charts of a report, each an SVG element. Each mark has the table and row that it shows in its
 * attributes, data-table and data-row, and what its size says in data-value, so that it can be
 * checked against the JSON. Pure.
 */
#pragma once

#include "lib/report/report.h"
#include "value.h"

#define CHART_WIDTH 1040 /* units of every chart */

/* Each adds nothing where its table has no rows. */
void chart_timeline(struct line *w, const struct report_result *result);
void chart_places(struct line *w, const struct report_result *result);
void chart_tree(struct line *w, const struct report_result *result);
void chart_network(struct line *w, const struct report_result *result);

/* Opens a chart: a section with its heading, one line about it, and the SVG element. */
void chart_begin(struct line *w, const char *title, const char *about, unsigned int height);
void chart_end(struct line *w);

/* A swatch and a word, in the section's legend. */
void chart_legend(struct line *w, const char *class, const char *word);

/* As much of the text as fits into so many units at this size, its middle left out; escaped. */
void chart_label(struct line *w, struct record_bytes text, double units, double font);

/* Of the column with that key. */
uint64_t chart_value(const struct report_table *table, size_t row, const char *key);
struct record_bytes chart_text(const struct report_table *table, size_t row, const char *key);
