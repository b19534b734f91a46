/* SPDX-License-Identifier: MPL-2.0 */
/* A line of JSON, made safe for a terminal: the same JSON, in ASCII alone. Pure. */
#ifndef GRITH_VIEW_JSON_H
#define GRITH_VIEW_JSON_H

#include "record.h"
#include "text.h"

/*
 * Adds the line, which is valid JSON, with a newline. Characters beyond ASCII become \uXXXX, and so
 * does DEL. 0 or -ENOMEM.
 */
int view_json(struct record_bytes json, struct text *out);

#endif
