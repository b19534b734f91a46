/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The outcome of a policy for an operation: the verdict, the rule and its reason, the score and its
 * parts. Pure.
 */
#pragma once

#include <jansson.h>

#include "lib/base/base.h"
#include "lib/policy/policy.h"

/* A line, and one for each part of the score. 0 or -ENOMEM. */
int view_outcome(const struct policy *policy, const struct grith_outcome *outcome,
		 const struct policy_parts *parts, struct text *out);

/*
 * {"verdict", "rule", "reason", "score", "parts": [{"filter", "score", "rule", "reason"}],
 * "final"}, the caller's; NULL: no memory.
 */
json_t *view_outcome_json(const struct policy *policy, const struct grith_outcome *outcome,
			  const struct policy_parts *parts);
