/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Single values of a report as people read them. Pure. Each adds to `out` and returns 0 or -ENOMEM.
 */
#pragma once

#include "lib/base/base.h"
#include "lib/report/report.h"

/* "2,779" */
int view_report_number(struct text *out, uint64_t number);

/* The number; of a duration "17.9 s". */
int view_report_count(struct text *out, enum report_count count, uint64_t value);

/* By the column's kind, escaped. A port has no commas in it. */
int view_report_cell(struct text *out, const struct report_column *column,
		     const struct report_cell *cell);

/* A JSON array as a command line, escaped. Nothing where it is not one. */
int view_report_command(struct record_bytes command, struct text *out);
