/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What belongs to the project: the directory the session was started in, and the git work trees
 * linked to its repository, which grithd has found at that moment.
 */
#include <jansson.h>

#include "internal.h"

int report_directory_copy(const char *text, char **ret_copy)
{
	size_t length = text ? strlen(text) : 0;
	char *copied;

	/* "/home/anna/" is "/home/anna". The root directory would be everything. */
	while (length > 1 && text[length - 1] == '/')
		length--;
	if (!length || (length == 1 && *text == '/'))
		return 0;
	copied = strndup(text, length);
	if (!copied)
		return -ENOMEM;
	*ret_copy = copied;
	return 0;
}

/* Anything but a bounded array of paths is ignored: the line is untrusted. */
static int add_worktrees(struct report *report, struct record_bytes worktrees)
{
	json_auto_t *array =
		worktrees.length ? json_loadb(worktrees.data, worktrees.length, 0, NULL) : NULL;
	json_t *value;
	size_t i;
	int r;

	json_array_foreach (array, i, value) {
		const char *path = json_string_value(value);

		if (report->n_worktrees == REPOSITORY_WORKTREES_MAX)
			return 0;
		if (!path || *path != '/')
			continue;
		r = report_directory_copy(path, &report->worktrees[report->n_worktrees]);
		if (r < 0)
			return r;
		report->n_worktrees += report->worktrees[report->n_worktrees] != NULL;
	}
	return 0;
}

int report_project_see(struct report *report, const struct log_event *event)
{
	OWNED_MEM char *project = NULL;
	int r;

	if (report->project || !event->project.length)
		return 0;
	project = strndup(event->project.data, event->project.length);
	r = project ? report_directory_copy(project, &report->project) : -ENOMEM;
	return r < 0 ? r : add_worktrees(report, event->worktrees);
}

const char *report_project_root(const struct report *report, size_t number)
{
	return number == 1 ? report->project : report->worktrees[number - 2];
}

size_t report_project_number(const struct report *report, struct record_bytes path)
{
	for (size_t number = 1; number < report->n_worktrees + 2; number++)
		if (path_is_below(path.data, path.length, report_project_root(report, number)))
			return number;
	return 0;
}

void report_project_free(struct report *report)
{
	free(report->project);
	for (size_t i = 0; i < report->n_worktrees; i++)
		free(report->worktrees[i]);
}
