/* SPDX-License-Identifier: MPL-2.0 */
/* What a user taught grithd, as tables: trust, canaries and answers that stand. Pure. */
#pragma once

#include "grith/base/base.h"

/*
 * "trust", "canaries" and "answers" of grithd's replies; a line that says so where it is empty. 0 or
 * -ENOMEM.
 */
int view_trust(const json_t *trust, const struct term *term, struct text *out);
int view_answers(const json_t *answers, const struct term *term, struct text *out);
int view_canaries(const json_t *canaries, const struct term *term, struct text *out);
