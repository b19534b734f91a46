/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The report of a session for people, for programs, and for a browser. Pure. Each adds to `out` and
 * returns 0 or -ENOMEM.
 */
#pragma once

#include "grith/base/base.h"
#include "lib/report/report.h"

/* How many rows of a table are shown as text; all of them are in JSON. */
#define VIEW_REPORT_ROWS 12

/* The counts, and every table that has rows, cut to the terminal's width. `rows` 0: all of them. */
int view_report_text(const struct report_result *result, const struct term *term, size_t rows,
		     struct text *out);

/* One JSON object on one line, as grith(1) describes it. */
int view_report_json(const struct report_result *result, struct text *out);

/* A whole HTML document with everything in it that it needs, the JSON too. */
int view_report_html(const struct report_result *result, struct text *out);

/* The counts of two reports, side by side. */
int view_report_compare(const struct report_result *left, const struct report_result *right,
			const struct term *term, struct text *out);

/* The same as JSON: {"a": {...}, "b": {...}}, each with its "session" and its "counts". */
int view_report_compare_json(const struct report_result *left, const struct report_result *right,
			     struct text *out);
