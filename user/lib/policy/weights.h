/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The file of weights: what the filters add to a score. The rules of the static filters become
 * rules of each policy that scores, and the numbers of those that the kernel computes part of each
 * policy. The numbers and lists of the others are only checked for their form here, and read by
 * whoever computes those filters (lib/score/scoring.h).
 */
#pragma once

#include "model.h"

#define POLICY_WEIGHTS_FILE "weights.yaml" /* in the policy directory */

/*
 * Whether a text is a file of weights. 0, or -EINVAL with every error, its line and column in
 * `diag`, or -ENOMEM.
 */
int policy_weights_check(const char *name, const char *text, size_t length,
			 const struct policy_context *context, struct diag *diag);
