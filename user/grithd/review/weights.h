/* SPDX-License-Identifier: MPL-2.0 */
/* The filters' weights as they lie in the policy directory. */
#pragma once

#include "lib/base/base.h"
#include "lib/score/score.h"

/*
 * Reads POLICY_WEIGHTS_FILE of the directory, which must belong to root and be writable by nobody
 * else. -ENOENT, or another negative errno with entries in `diag`.
 */
int weights_load(const char *directory, struct diag *diag, struct score_weights **ret_weights);
