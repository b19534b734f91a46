/* SPDX-License-Identifier: MPL-2.0 */
/* What the caller says, then what the log shows, then what is usual. */
#include <getopt.h>
#include <pwd.h>
#include <string.h>

#include "grith/base/base.h"
#include "options.h"

static int take_directory(int option, const char *value, struct replay_options *options)
{
	if (value[0] != '/') {
		message("'%s' is not an absolute path: the log's paths are", value);
		return -EINVAL;
	}
	switch (option) {
	case 'r':
		options->report.project = value;
		break;
	case 'c':
		options->cwd = value;
		break;
	case 'h':
		options->report.home = value;
		break;
	default:
		options->report.exclude = value;
	}
	return 0;
}

static int take_rows(const char *value, size_t *ret_rows)
{
	uint64_t rows;

	if (text_parse_u64(value, REPORT_ROWS_MAX, &rows) < 0) {
		fprintf(stderr, "grith: --rows must be a number up to %d, 0 for all\n",
			REPORT_ROWS_MAX);
		return -EINVAL;
	}
	*ret_rows = rows;
	return 0;
}

int replay_parse(int argc, char **argv, struct replay_options *options)
{
	static const struct option known[] = {
		{ "policy", required_argument, NULL, 'f' },
		{ "profile", required_argument, NULL, 'p' },
		{ "policy-dir", required_argument, NULL, 'd' },
		{ "project", required_argument, NULL, 'r' },
		{ "cwd", required_argument, NULL, 'c' },
		{ "home", required_argument, NULL, 'h' },
		{ "exclude", required_argument, NULL, 'x' },
		{ "rows", required_argument, NULL, 'n' },
		{ "json", no_argument, NULL, 'j' },
		{ "html", required_argument, NULL, 'o' },
		{ 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (c) {
		case 'f':
			options->choice.policy = optarg;
			break;
		case 'p':
			options->choice.profile = optarg;
			break;
		case 'd':
			options->choice.directory = optarg;
			break;
		case 'j':
			options->output.json = true;
			break;
		case 'o':
			options->output.html = optarg;
			break;
		case 'n':
			if (take_rows(optarg, &options->output.rows) < 0)
				return -EINVAL;
			break;
		case '?':
			return -EINVAL;
		default:
			if (take_directory(c, optarg, options) < 0)
				return -EINVAL;
		}
	}
	if (options->choice.policy && options->choice.profile) {
		fputs("grith: --policy and --profile exclude each other\n", stderr);
		return -EINVAL;
	}
	if (optind != argc - 1)
		return -EINVAL;
	options->log = argv[optind];
	return 0;
}

static bool is_above(const char *directory, const char *path)
{
	size_t length = strlen(directory);

	return strncmp(directory, path, length) == 0 && (!path[length] || path[length] == '/');
}

/* The repository around the project, as far as the log has seen it: the machine may be another. */
static int find_repository(const struct replay_options *options, const struct replay_start *start,
			   char **ret_git, struct policy_context *context)
{
	if (!start->worktree || !is_above(start->worktree, options->report.project))
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
