/* SPDX-License-Identifier: MPL-2.0 */
/* The way of grithd: a profile by the program's name, and the weights beside it. */
#include <limits.h>
#include <unistd.h>

#include "lib/policy/policy.h"
#include "rules.h"

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

	path = text_format("%s/%s", directory, POLICY_WEIGHTS_FILE);
	if (!path)
		return -ENOMEM;
	if (access(path, F_OK) < 0)
		return 0;
	r = load_text(path, diag, &text);
	return r < 0 ? r : score_weights_read(path, text, strlen(text), diag, ret_weights);
}

/* The profile for the program; where there is none of its own, that for the script that it runs. */
static int pick(const struct replay_choice *choice, const struct policy_context *context,
		struct diag *diag, char **ret_name)
{
	const char *program = choice->program ? choice->program : "";
	OWNED_MEM char *name = NULL, *other = NULL;
	int r = policy_pick(program, context, diag, &name);

	if (r == 0 && choice->script && !strcmp(name, "generic"))
		r = policy_pick(choice->script, context, diag, &other);
	if (r == 0)
		*ret_name = other ? TAKE_PTR(other) : TAKE_PTR(name);
	if (r != -ENOENT)
		return r;
	diag_add(diag, context->directory, 0, 0,
		 "no profile is for '%s', and there is no 'generic'; --profile or --policy names "
		 "one",
		 program);
	return -EINVAL;
}

/* The file of the profile; a name and not a path, as everywhere. */
static int profile_path(const struct replay_choice *choice, const struct policy_context *context,
			struct diag *diag, char **ret_path)
{
	OWNED_MEM char *picked = NULL;
	const char *name = choice->profile;
	int r = name ? 0 : pick(choice, context, diag, &picked);

	if (r < 0)
		return r;
	if (asprintf(ret_path, "%s/%s.yaml", context->directory, name ? name : picked) < 0) {
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
	r = choice->policy ? (path ? 0 : -ENOMEM) : profile_path(choice, &context, diag, &path);
	if (r == 0)
		r = load_policy(path, &context, diag, &ret_loaded->loaded);
	if (r == 0)
		r = load_weights(directory, diag, &ret_loaded->weights);
	return r == -ENOENT ? -EINVAL : r; /* what was named or found is not there */
}
