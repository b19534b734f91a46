/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Whether a file of weights is right, for both who read one: the compiler of policies and the
 * filters. Pure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "lib/policy/policy.h"

/* Whether a path names a file of weights: grithd takes it from its name, too. */
bool weights_named(const char *path);

/*
 * 0, or -EINVAL with every error, its line and column in `diag`, -E2BIG with one, or -ENOMEM. A
 * mistake that both would complain of is there once. `name` is what messages call the file.
 */
int weights_check(const char *name, const char *text, size_t length,
		  const struct policy_context *context, struct diag *diag);
