/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The state of a running grithd for people, and what is wrong with it. Pure.
 */
#ifndef GRITH_VIEW_STATUS_H
#define GRITH_VIEW_STATUS_H

#include <jansson.h>

#include "term.h"

/* How many things of a "status" reply are problems: view_status() names each. */
unsigned int view_status_problems(const json_t *status);

/*
 * Adds the state, a line for each hook that is not attached and for each counter of things that
 * should not have happened. 0 or -ENOMEM.
 */
int view_status(const json_t *status, const struct term *term, struct text *out);

#endif
