/* SPDX-License-Identifier: MPL-2.0 */
/* The way of grithd: a profile by the program's name, and the weights beside it. */
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "policy_weights.h"
#include "replay_rules.h"

void replay_loaded_clear(struct replay_loaded *loaded)
{
	loaded_clear(&loaded->loaded);
	score_weights_free(loaded->weights);
}

static int load_weights(const char *directory, struct diag *diag,
			struct score_weights **ret_weights)
{
	OWNED_MEM char *path = NULL, *text = NULL;
	int r;

	if (asprintf(&path, "%s/%s", directory, POLICY_WEIGHTS_FILE) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	if (access(path, F_OK) < 0)
		return 0;
	r = load_text(path, diag, &text);
	return r < 0 ? r : score_weights_read(path, text, strlen(text), diag, ret_weights);
}

/* The file of the profile; a name and not a path, as everywhere. */
static int profile_path(const struct replay_choice *choice, const char *directory,
			struct diag *diag, char **ret_path)
{
	struct policy_context context = choice->context;
	OWNED_MEM char *picked = NULL;
	const char *name = choice->profile;
	int r;

	context.directory = directory;
	if (!name) {
		r = policy_pick(choice->program ? choice->program : "", &context, diag, &picked);
		if (r == -ENOENT)
			diag_add(diag, directory, 0, 0,
				 "no profile is for '%s', and there is no 'generic'; --profile or "
				 "--policy names one",
				 choice->program ? choice->program : "");
		if (r < 0)
			return r == -ENOENT ? -EINVAL : r;
		name = picked;
	}
	if (asprintf(ret_path, "%s/%s.yaml", directory, name) < 0) {
		*ret_path = NULL;
		return -ENOMEM;
	}
	return 0;
}

int replay_load(const struct replay_choice *choice, struct diag *diag,
		struct replay_loaded *ret_loaded)
{
	struct policy_context context = choice->context;
	OWNED_MEM char *path = NULL;
	char found[PATH_MAX];
	const char *directory = choice->directory;
	int r;

	if (!directory) {
		load_directory(choice->policy ? choice->policy : "", found, sizeof(found));
		directory = found;
		if (!choice->policy && access(directory, F_OK) < 0 && !choice->profile)
			return -ENOENT;
	}
	context.directory = directory;
	if (choice->policy)
		path = strdup(choice->policy);
	r = choice->policy ? (path ? 0 : -ENOMEM) : profile_path(choice, directory, diag, &path);
	if (r == 0)
		r = load_policy(path, &context, diag, &ret_loaded->loaded);
	return r < 0 ? r : load_weights(directory, diag, &ret_loaded->weights);
}
