/* SPDX-License-Identifier: MPL-2.0 */
/*
 * grith report: what a session touched, what it was stopped from doing, and who said it could.
 */
#include <limits.h>
#include <pwd.h>

#include "grith/client/client.h"
#include "grith/policy/policy.h"
#include "grith/report/report.h"
#include "cmd.h"

struct options {
	struct report_where where;
	const char *sessions[2]; /* NULL where there are fewer */
	const char *policy;
	struct report_output output;
	bool compare;
};

static int load_rules(const struct options *options, struct report *report)
{
	const struct passwd *user = getpwuid(getuid());
	CLEANUP(loaded_clear) struct loaded loaded = { 0 };
	OWNED_DIAG struct diag diag = { 0 };
	char here[PATH_MAX];
	struct policy_context context = {
		.uid = getuid(),
		.user = user ? user->pw_name : NULL,
		.home = user ? user->pw_dir : getenv("HOME"),
		.project = getcwd(here, sizeof(here)),
	};
	int r = load_policy(options->policy, &context, &diag, &loaded);

	if (r == 0)
		r = report_add_policy(report, loaded.policy);
	if (r < 0)
		output_diag(&diag, options->policy, r);
	return r;
}

/* A message was printed where it fails. */
static int read_report(const struct options *options, const char *session,
		       struct report **ret_report)
{
	struct report_where where = options->where;
	CLEANUP(report_freep) struct report *report = NULL;
	OWNED_TEXT struct text error = { 0 };
	int r;

	where.session = session;
	r = report_read(&where, &error, &report);
	if (r < 0)
		output_failure(error.data, r);
	else if (options->policy)
		r = load_rules(options, report);
	if (r == 0)
		*ret_report = TAKE_PTR(report);
	return r;
}

static int report_one(const struct options *options)
{
	OWNED_REPORT_RESULT struct report_result result = { 0 };
	CLEANUP(report_freep) struct report *report = NULL;
	int r;

	if (read_report(options, options->sessions[0], &report) < 0)
		return COMMAND_FAILED;
	r = report_result_make(report, &result);
	return r < 0 ? report_failed("report", r) : report_print(&options->output, &result);
}

static int compare(const struct options *options)
{
	OWNED_REPORT_RESULT struct report_result left = { 0 }, right = { 0 };
	CLEANUP(report_freep) struct report *a = NULL, *b = NULL;
	struct term term = term_of(STDOUT_FILENO);
	OWNED_TEXT struct text out = { 0 };
	int r;

	if (read_report(options, options->sessions[0], &a) < 0 ||
	    read_report(options, options->sessions[1], &b) < 0)
		return COMMAND_FAILED;
	r = report_result_make(a, &left);
	if (r == 0)
		r = report_result_make(b, &right);
	if (r == 0)
		r = options->output.json ? view_report_compare_json(&left, &right, &out)
					 : view_report_compare(&left, &right, &term, &out);
	return r < 0 ? report_failed("report", r) : output_text(&out, 0);
}

static int take_since(const struct option_entry *entry, const char *value)
{
	uint64_t seconds;

	if (moment_parse_span(value, &seconds) < 0)
		return option_refuse(entry, value, "; it is a span such as 10m or 2h");
	*(const char **)entry->to = value;
	return 0;
}

static int parse(int argc, char **argv, struct options *options)
{
	struct report_where *where = &options->where;
	const struct option_entry known[] = {
		{ "compare", .flag = &options->compare },
		{ "json", .flag = &options->output.json },
		{ "html", .value = &options->output.html },
		{ "policy", .value = &options->policy },
		{ "log-dir", .value = &where->directory },
		{ "socket", .value = &where->socket },
		{ "project", .value = &where->options.project },
		{ "home", .value = &where->options.home },
		{ "exclude", .value = &where->options.exclude },
		{ "since", .take = take_since, .to = &where->since },
		{ "rows", .take = report_take_rows, .to = &options->output.rows },
		{ 0 },
	};
	int given;

	if (options_read(argc, argv, known) < 0)
		return -EINVAL;
	given = argc - optind;
	if (options->compare && (given != 2 || options->output.html)) {
		message("--compare needs two sessions, and goes to the terminal or --json");
		return -EINVAL;
	}
	if (given > (options->compare ? 2 : 1))
		return -EINVAL;
	for (int i = 0; i < given; i++)
		options->sessions[i] = argv[optind + i];
	return 0;
}

static int run(int argc, char **argv)
{
	const struct passwd *user = getpwuid(getuid());
	struct options options = { .output.rows = VIEW_REPORT_ROWS };

	/* root reports on the sessions of others: their homes are known by their paths. */
	if (user && user->pw_uid)
		options.where.options.home = user->pw_dir;
	if (parse(argc, argv, &options) < 0)
		return command_misused(&cmd_report);
	options.where.socket = channel_socket(options.where.socket);
	return options.compare ? compare(&options) : report_one(&options);
}

const struct command cmd_report = {
	.name = "report",
	.arguments = "[SESSION] [--compare A B] [--json] [--html FILE] [--policy FILE] "
		     "[--since SPAN] [--rows N] [--project DIR] [--home DIR] [--exclude DIR] "
		     "[--log-dir DIR] [--socket PATH]",
	.summary = "say what a session touched, and what it was stopped from doing",
	.help = "  SESSION        id or name, also of one that has ended; default: the one of which\n"
		"                 there is the newest entry\n"
		"  --compare      the counts of two sessions, A and B, side by side\n"
		"  --json         for programs: one object, with every table; see grith(1)\n"
		"  --html FILE    a page with charts, written to FILE; it needs nothing else\n"
		"  --policy FILE  the session's policy: rules that were not used are listed, too\n"
		"  --since SPAN   not older than 90s, 10m, 2h, 7d, 1w; the session's start may be\n"
		"                 missing then, and with it the project\n"
		"  --rows N       of each table, at most; default 12, 0 for all\n"
		"  --project DIR  the project; default: where the session was started\n"
		"  --home DIR     the home directory of the session's user\n"
		"  --exclude DIR  the agent's own installation: left out of counts of files\n"
		"  --log-dir DIR  read the log's files instead of asking grithd\n"
		"  --socket PATH  where grithd listens\n"
		"\n"
		"Counts are of what succeeded. A file was read if it was opened without, and written\n"
		"if it was opened with write access, created or truncated; files are counted once,\n"
		"scans and the named files each time. grith(1), REPORT, has the definitions.\n"
		"\n"
		"Exit status: 0 done, 1 failed, 2 wrong usage.\n",
	.run = run,
};
