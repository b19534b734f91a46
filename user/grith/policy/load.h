/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Policies and weights out of files of the caller's, without grithd. Reads files, prints nothing.
 */
#pragma once

#include "lib/policy/policy.h"

/* A policy, and the proof that it can be compiled. Starts as {0}. */
struct loaded {
	struct policy *policy;
	struct policy_image *image;
};

void loaded_clear(struct loaded *loaded);

/* The text of a file, which the caller frees. 0, or a negative errno with an entry in `diag`. */
int load_text(const char *file, struct diag *diag, char **ret_text);

/*
 * Where the policies are that a file may extend: in its own directory, else where grithd has them.
 * The last of these where there are none.
 */
void load_directory(const char *file, char *directory, size_t size);

/*
 * Where the context has no directory, it is load_directory()'s; the repository is that around the
 * project, unless the context has one. 0, or a negative errno, with entries in `diag` unless it is
 * -ENOMEM. The caller clears `ret_loaded` in any case.
 */
int load_policy(const char *file, const struct policy_context *context, struct diag *diag,
		struct loaded *ret_loaded);

/* Whether a path names a file of weights: grithd takes it from its name, too. */
bool weights_named(const char *path);

/*
 * Whether a file of weights is right for policies and for scoring. 0, or -EINVAL with every error,
 * its line and column in `diag`, -E2BIG with one, or -ENOMEM. `name` is what messages call it.
 */
int weights_check(const char *name, const char *text, size_t length,
		  const struct policy_context *context, struct diag *diag);
