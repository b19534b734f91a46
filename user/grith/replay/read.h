/* SPDX-License-Identifier: MPL-2.0 */
/* A strace log out of a file. */
#pragma once

#include "lib/strace/strace.h"

/*
 * Gives every line of the descriptor to the log. Lines beyond STRACE_LINE_MAX are left out and
 * counted. 0, or a negative errno of reading or of strace_log_line(), or a positive number that a
 * callback returned.
 */
int replay_read(int fd, struct strace_log *log, uint64_t *ret_too_long);

/* What a log says of where it began. NULL: not known. */
struct replay_start {
	char *program; /* the first that was executed */
	char *script; /* its first argument, where that is a path: node /usr/bin/codex */
	char *cwd; /* where that was, of strace -y */
	char *worktree; /* of the first git repository that was read */
};

/*
 * Looks at the beginning of a file that can be read again from its start; of any other nothing is
 * known. `cwd` is what relative paths are taken from, NULL where it is not known. 0 or -ENOMEM. The
 * caller clears *ret_start in any case; it starts as {0}.
 */
int replay_look(int fd, const char *cwd, struct replay_start *ret_start);
void replay_start_clear(struct replay_start *start);
