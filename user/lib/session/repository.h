/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The git repository that a project lies in: its work tree and its git directory, which may both be
 * outside the project. Reads only what belongs to the session's user and what a session in the
 * project could not have made by itself, for an agent must not widen its next session by leaving a
 * file behind. Knows nothing of git beyond that.
 */
#pragma once

#include "lib/base/base.h"

#define REPOSITORY_WORKTREES_MAX 16 /* and at most so many bytes of their names: */
#define REPOSITORY_WORKTREES_BYTES 2048

struct repository {
	char *worktree; /* the top of the work tree */
	char *git_directory; /* the repository itself, shared by linked work trees */
	/* The others that are linked to it, but not those that the project or the home lies in. */
	char *worktrees[REPOSITORY_WORKTREES_MAX];
	size_t n_worktrees;
};

/*
 * `project` and `home` are absolute and resolved. Looks upwards from the project, not as far as
 * `home` or the root directory. Where there is no repository the work tree is the project and the
 * git directory the one it would have. 0 or -ENOMEM. repository_free() may be called on {0}.
 */
int repository_find(const char *project, const char *home, uint32_t uid,
		    struct repository *ret_repository);
void repository_free(struct repository *repository);

#define OWNED_REPOSITORY CLEANUP(repository_free)
