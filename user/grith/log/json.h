/* SPDX-License-Identifier: MPL-2.0 */
/* A line of JSON, made safe for a terminal: the same JSON, in ASCII alone. Pure. */
#pragma once

#include "lib/base/base.h"
#include "lib/record/record.h"

/*
 * Adds the line, which is valid JSON, with a newline. Characters beyond ASCII become \uXXXX, and so
 * does DEL. 0 or -ENOMEM.
 */
int view_json(struct record_bytes json, struct text *out);
