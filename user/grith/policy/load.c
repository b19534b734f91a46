/* SPDX-License-Identifier: MPL-2.0 */
/* Finds what a policy extends, and the repository that it is for; checks weights. */
#include <limits.h>
#include <unistd.h>

#include "grith/exec/exec.h"
#include "lib/base/base.h"
#include "lib/score/score.h"
#include "lib/session/session.h"
#include "installed.h"
#include "load.h"

void loaded_clear(struct loaded *loaded)
{
	policy_free(loaded->policy);
	policy_image_free(loaded->image);
}

int load_text(const char *file, struct diag *diag, char **ret_text)
{
	int r = launch_read_policy(file, ret_text);

	if (r < 0)
		diag_add(diag, file, 0, 0, "cannot be read: %s",
			 r == -EFBIG	? "larger than POLICY_TEXT_MAX (4 MiB)"
			 : r == -EILSEQ ? "not UTF-8 text"
					: strerror(-r));
	return r;
}

void load_directory(const char *file, char *directory, size_t size)
{
	const char *slash = strrchr(file, '/');
	const char *const places[] = {
		slash ? file : ".",
		GRITH_SYSCONFDIR "/grith/policy",
		GRITH_DATADIR "/policy",
	};
	char base[PATH_MAX + 16];

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		int length = i == 0 && slash ? (int)(slash - file) : (int)strlen(places[i]);

		snprintf(directory, size, "%.*s", length, places[i]);
		snprintf(base, sizeof(base), "%s/base.yaml", directory);
		if (access(base, R_OK) == 0)
			return;
	}
}

int load_policy(const char *file, const struct policy_context *context, struct diag *diag,
		struct loaded *ret_loaded)
{
	OWNED_REPOSITORY struct repository repository = { 0 };
	struct policy_context whole = *context;
	struct resolvers resolvers = { 0 };
	OWNED_MEM char *text = NULL;
	char directory[PATH_MAX];
	int r;

	if (!whole.directory) {
		load_directory(file, directory, sizeof(directory));
		whole.directory = directory;
	}
	if (whole.project && whole.home && !whole.worktree) {
		if (repository_find(whole.project, whole.home, whole.uid, &repository) < 0)
			return -ENOMEM;
		whole.worktree = repository.worktree;
		whole.worktrees = repository.worktrees;
		whole.n_worktrees = repository.n_worktrees;
		whole.git_directory = repository.git_directory;
	}
	resolvers_find(&resolvers);
	whole.resolvers = resolvers.list;
	whole.n_resolvers = resolvers.count;
	r = load_text(file, diag, &text);
	if (r == 0)
		r = policy_read_text(file, text, strlen(text), &whole, diag, &ret_loaded->policy);
	return r < 0 ? r : policy_compile(ret_loaded->policy, NULL, 0, diag, &ret_loaded->image);
}

bool weights_named(const char *path)
{
	return strcmp(basename(path), POLICY_WEIGHTS_FILE) == 0;
}

int weights_check(const char *name, const char *text, size_t length,
		  const struct policy_context *context, struct diag *diag)
{
	CLEANUP(score_weights_freep) struct score_weights *weights = NULL;
	OWNED_DIAG struct diag found = { 0 };
	int r, r_filters;

	if (length > SCORE_WEIGHTS_MAX) {
		diag_add(diag, name, 0, 0, "larger than SCORE_WEIGHTS_MAX (1 MiB)");
		return -E2BIG;
	}
	r = policy_weights_check(name, text, length, context, diag);
	if (r == -ENOMEM)
		return r;
	r_filters = score_weights_read(name, text, length, &found, &weights);
	if (r_filters == -ENOMEM)
		return r_filters;
	diag_join(diag, &found);
	return r < 0 ? r : r_filters;
}
