/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The globs of a rule: from what was written to checked globs with nothing left to replace.
 */
#include <limits.h>

#include "lib/base/base.h"
#include "lib/policy/automaton/automaton.h"
#include "draft.h"

/* Checks the globs and moves them to the array of the rule. */
static void take_globs(struct reader *reader, const struct yaml_node *node, char **list,
		       char ***array, size_t *count)
{
	for (char **p = list; *p; p++) {
		CLEANUP(glob_freep) struct glob *glob = NULL;
		const char *why = NULL;
		int r = glob_parse(*p, &glob, &why);

		if (r == -EINVAL) {
			reader_error(reader, node, "\"%s\" %s", *p, why);
			continue;
		}
		if (r < 0 || ARRAY_GROW(*array, *count) < 0) {
			reader->no_memory = true;
			return;
		}
		if (reader->n_globs++ == POLICY_GLOBS_MAX)
			reader_error(reader, node,
				     "too many globs (POLICY_GLOBS_MAX, 200000): "
				     "put names under common directories");
		if (reader->n_globs > POLICY_GLOBS_MAX)
			return;
		(*array)[(*count)++] = strdup(*p);
		if (!(*array)[*count - 1]) {
			(*count)--;
			reader->no_memory = true;
		}
	}
}

void draft_glob(struct reader *reader, const struct yaml_node *node, bool abstract, char ***array,
		size_t *count)
{
	const struct policy_context *c = reader->context;
	char uid[12], git_directory[PATH_MAX];
	const struct glob_variable variables[] = {
		{ .name = "PROJECT", .value = c->project },
		{ .name = "HOME", .value = c->home },
		{ .name = "~", .value = c->home },
		{ .name = "USER", .value = c->user },
		{ .name = "UID", .value = uid },
		{ .name = "WORKTREE", .value = c->worktree ? c->worktree : c->project },
		{ .name = "WORKTREES",
		  .value = c->project,
		  .others = c->worktrees,
		  .n_others = c->n_worktrees },
		{ .name = "GIT_DIR", .value = c->git_directory ? c->git_directory : git_directory },
	};
	CLEANUP(glob_list_freep) char **list = NULL;
	OWNED_MEM char *name = NULL;
	const char *text, *why = NULL;
	int r;

	if (!value_text(reader, node, GLOB_BYTES_MAX, &text))
		return;
	snprintf(uid, sizeof(uid), "%u", c->uid);
	snprintf(git_directory, sizeof(git_directory), "%s/.git", c->project ? c->project : "");
	if (asprintf(&name, "%s%s", abstract ? "@" : "", text) < 0) {
		name = NULL;
		reader->no_memory = true;
		return;
	}
	r = glob_expand(name, variables, ARRAY_SIZE(variables), &list, &why);
	if (r == -ENOMEM)
		reader->no_memory = true;
	else if (r < 0)
		reader_error(reader, node, "\"%s\" %s", text, why);
	else if (!abstract && list[0][0] == '@')
		reader_error(reader, node,
			     "\"%s\": names of abstract sockets go to abstract:", text);
	else
		take_globs(reader, node, list, array, count);
}
