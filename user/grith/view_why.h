/* SPDX-License-Identifier: MPL-2.0 */
/* An explained decision for people. Pure. */
#ifndef GRITH_VIEW_WHY_H
#define GRITH_VIEW_WHY_H

#include <jansson.h>

#include "term.h"

/* "why" of grithd's reply: a few lines. What is missing is left out. 0 or -ENOMEM. */
int view_why(const json_t *why, const struct term *term, struct text *out);

#endif
