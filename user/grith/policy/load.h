/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A policy out of a file of the caller's, compiled, without grithd. Reads files, prints nothing.
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
 * Where the context has no directory, it is the one of the file if profiles are there, as in
 * grith's sources, else where grithd has them; the repository is that around the project,
 * unless the context has one. 0, or a
 * negative errno, with entries in `diag` unless it is -ENOMEM. `ret_loaded` is the caller's to
 * clear in any case.
 */
int load_policy(const char *file, const struct policy_context *context, struct diag *diag,
		struct loaded *ret_loaded);
