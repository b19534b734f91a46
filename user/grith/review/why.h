/* SPDX-License-Identifier: MPL-2.0 */
/* An explained decision for people. Pure. */
#pragma once

#include <jansson.h>

#include "grith/base/base.h"

/* "why" of grithd's reply: a few lines. What is missing is left out. 0 or -ENOMEM. */
int view_why(const json_t *why, const struct term *term, struct text *out);
