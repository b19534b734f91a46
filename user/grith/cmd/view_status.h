/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The state of grithd for people, running or not, and what is wrong with it. Pure.
 */
#pragma once

#include "grith/base/base.h"

/* How many things of a "status" reply are problems: view_status() names each. */
unsigned int view_status_problems(const json_t *status);

/*
 * Adds the state, a line for each hook that is not attached and for each counter of things that
 * should not have happened. 0 or -ENOMEM.
 */
int view_status(const json_t *status, const struct term *term, struct text *out);

/*
 * Adds what `grithd --check` reports of a machine where grithd does not run: how it would attach,
 * and each thing that is missing, with its remedy. 0 or -ENOMEM.
 */
int view_check(const json_t *report, const struct term *term, struct text *out);
