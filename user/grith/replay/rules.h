/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Which policy evaluates a strace log: the one the caller named, else the one that a session of
 * the log's program would have got. Reads files, prints nothing.
 */
#pragma once

#include "grith/policy/policy.h"
#include "evaluate.h"

/* What the caller asked for. Borrowed; NULL: not given. */
struct replay_choice {
	const char *policy; /* a file */
	const char *profile; /* a name in the directory */
	const char *directory;
	const char *program, *script; /* the first ones of the log */
	struct policy_context context; /* for its placeholders; its directory is not looked at */
};

/* Starts as {0}. */
struct replay_loaded {
	struct loaded loaded;
	struct score_weights *weights; /* NULL: the directory has none */
};

/*
 * 0; -ENOENT: nothing was named, and there is no directory with policies; any other negative errno,
 * with entries in `diag` unless it is -ENOMEM. `ret_loaded` is the caller's to clear in any case.
 */
int replay_load(const struct replay_choice *choice, struct diag *diag,
		struct replay_loaded *ret_loaded);

void replay_loaded_clear(struct replay_loaded *loaded);
