/* SPDX-License-Identifier: MPL-2.0 */
/* Points, limits and lists of the filters, from policy/weights.yaml. Immutable once read. */
#pragma once

#include "lib/base/base.h"
#include "lib/policy/policy.h"

#define SCORE_WEIGHTS_MAX (1u << 20) /* bytes of the file of weights */

struct score_weights;

/*
 * Reads the weights from text. `name` is what messages call it. 0, or -EINVAL with every error, its
 * line and column in `diag`, or -ENOMEM.
 */
int score_weights_read(const char *name, const char *text, size_t length, struct diag *diag,
		       struct score_weights **ret_weights);
void score_weights_free(struct score_weights *weights);
DEFINE_CLEANUP(struct score_weights, score_weights_free)

bool score_filter_enabled(const struct score_weights *weights, enum filter_id filter);
