/* SPDX-License-Identifier: MPL-2.0 */
/* Options come first, then what the log shows, then the caller's own directories. */
#include <pwd.h>

#include "grith/base/base.h"
#include "options.h"

static int take_directory(const struct option_entry *entry, const char *value)
{
	if (value[0] != '/') {
		message("'%s' is not an absolute path: the log's paths are", value);
		return -EINVAL;
	}
	*(const char **)entry->to = value;
	return 0;
}

int replay_parse(int argc, char **argv, struct replay_options *options)
{
	const struct option_entry known[] = {
		{ "policy", .value = &options->choice.policy },
		{ "profile", .value = &options->choice.profile },
		{ "policy-dir", .value = &options->choice.directory },
		{ "project", .take = take_directory, .to = &options->report.project },
		{ "cwd", .take = take_directory, .to = &options->cwd },
		{ "home", .take = take_directory, .to = &options->report.home },
		{ "exclude", .take = take_directory, .to = &options->report.exclude },
		{ "rows", .take = report_take_rows, .to = &options->output.rows },
		{ "json", .flag = &options->output.json },
		{ "html", .value = &options->output.html },
		{ 0 },
	};

	if (options_read(argc, argv, known) < 0)
		return -EINVAL;
	if (options->choice.policy && options->choice.profile) {
		message("--policy and --profile exclude each other");
		return -EINVAL;
	}
	if (optind != argc - 1)
		return -EINVAL;
	options->log = argv[optind];
	return 0;
}

/* The repository around the project, as far as the log has seen it: the machine may be another. */
static int find_repository(const struct replay_options *options, const struct replay_start *start,
			   char **ret_git, struct policy_context *context)
{
	if (!start->worktree || !path_text_is_below(options->report.project, start->worktree))
		return 0;
	if (asprintf(ret_git, "%s/.git", start->worktree) < 0) {
		*ret_git = NULL;
		return -ENOMEM;
	}
	context->worktree = start->worktree;
	context->git_directory = *ret_git;
	return 0;
}

/* What was not given: as the log says, else the caller's own. */
int replay_fill_in(struct replay_options *options, const struct replay_start *start, char **ret_git)
{
	const struct passwd *user = getpwuid(getuid());
	struct policy_context *context = &options->choice.context;

	if (!options->cwd)
		options->cwd = options->report.project ? options->report.project
			       : start->cwd	       ? start->cwd
					    : getcwd(options->here, sizeof(options->here));
	if (!options->cwd)
		options->cwd = "/";
	if (!options->report.project)
		options->report.project = start->cwd ? start->cwd : options->cwd;
	if (!options->report.home)
		options->report.home = user ? user->pw_dir : getenv("HOME");
	options->report.source = REPORT_CALLS;
	options->choice.program = start->program;
	options->choice.script = start->script;
	context->uid = getuid();
	context->user = user ? user->pw_name : NULL;
	context->home = options->report.home;
	context->project = options->report.project;
	return find_repository(options, start, ret_git, context);
}
