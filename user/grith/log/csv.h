/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Entries of the log as CSV (RFC 4180): a header line, lines that end with CR LF, quotes where they
 * are needed. Bytes that are not text are escaped as everywhere. A text that a spreadsheet would
 * take for a formula (one that starts with = + - @) has an apostrophe before it. Pure.
 */
#pragma once

#include "lib/event/event.h"

/* Each adds one line. 0 or -ENOMEM. */
int view_csv_header(struct text *out);
int view_csv(const struct log_event *event, struct text *out);
