/* SPDX-License-Identifier: MPL-2.0 */
/*
 * grith replay: the report of a strace log, and what a policy and the score would have decided.
 * Needs no grithd, no root and no kernel that can enforce.
 */
#include <fcntl.h>

#include "grith/replay/replay.h"
#include "grith/report/report.h"
#include "cmd.h"

/* One log on its way into a report. */
struct replay {
	struct report *report;
	struct replay_evaluator *evaluator; /* NULL: there is no policy */
	struct strace_log *log;
	uint64_t too_long;
};

static int on_event(void *arg, struct log_event *event)
{
	struct replay *replay = arg;
	int r = 0;

	if (replay->evaluator)
		r = replay_evaluate(replay->evaluator, strace_log_notes(replay->log).has_times,
				    event);
	return r < 0 ? r : report_add(replay->report, event);
}

/* What a session says of itself at its start. */
static int add_session(const struct replay_options *options, const struct policy *policy,
		       struct replay *replay)
{
	const char *texts[] = { options->log, policy ? policy->name : "", options->report.project };
	struct log_event event = {
		.kind = LOG_SESSION,
		.sequence = LOG_NO_NUMBER,
		.change = { "start", strlen("start") },
		.name = { texts[0], strlen(texts[0]) },
		.profile = { texts[1], strlen(texts[1]) },
		.project = { texts[2], strlen(texts[2]) },
		.session_mode = { "replay", strlen("replay") },
	};

	return report_add(replay->report, &event);
}

/* 0 or 1: there is none; a message was printed where it fails. */
static int load_rules(const struct replay_options *options, struct replay_loaded *loaded)
{
	OWNED_DIAG struct diag diag = { 0 };
	int r = replay_load(&options->choice, &diag, loaded);

	if (r == 0 || r == -ENOENT)
		return r == -ENOENT;
	output_diag(&diag, "the policy cannot be read", r);
	return r;
}

static int prepare(const struct replay_options *options, const struct replay_loaded *loaded,
		   struct replay *replay)
{
	const struct policy *policy = loaded->loaded.policy;
	const struct strace_options where = { .cwd = options->cwd };
	const struct replay_rules rules = {
		.policy = policy,
		.image = loaded->loaded.image,
		.weights = loaded->weights,
		.home = options->report.home,
		.project = options->report.project,
		.user = options->choice.context.user,
	};
	int r = report_new(&options->report, &replay->report);

	if (r == 0)
		r = add_session(options, policy, replay);
	if (r == 0 && policy)
		r = report_add_policy(replay->report, policy);
	if (r == 0 && policy)
		r = replay_evaluator_new(&rules, &replay->evaluator);
	return r < 0 ? r : strace_log_new(&where, on_event, replay, &replay->log);
}

static void replay_clear(struct replay *replay)
{
	report_free(replay->report);
	replay_evaluator_free(replay->evaluator);
	strace_log_free(replay->log);
}

static int replay_log(const struct replay_options *options, int fd,
		      const struct replay_loaded *loaded)
{
	OWNED_REPORT_RESULT struct report_result result = { 0 };
	CLEANUP(replay_clear) struct replay replay = { 0 };
	struct strace_notes notes;
	int r = prepare(options, loaded, &replay);

	if (r == 0)
		r = replay_read(fd, replay.log, &replay.too_long);
	if (r < 0)
		return report_failed(options->log, r);
	notes = strace_log_notes(replay.log);
	if (!notes.events && notes.unreadable)
		message("%s: nothing in it is a line of strace's", options->log);
	r = replay_add_notes(&(struct replay_noted) { &notes, options->cwd, loaded->loaded.policy,
						      replay.too_long },
			     replay.report);
	if (r == 0)
		r = report_result_make(replay.report, &result);
	return r < 0 ? report_failed("report", r) : report_print(&options->output, &result);
}

static int run(int argc, char **argv)
{
	CLEANUP(replay_loaded_clear) struct replay_loaded loaded = { 0 };
	CLEANUP(replay_start_clear) struct replay_start start = { 0 };
	struct replay_options options = { .output.rows = VIEW_REPORT_ROWS };
	OWNED_MEM char *git = NULL;
	OWNED_FD int fd = -1;
	int r;

	if (replay_parse(argc, argv, &options) < 0)
		return command_misused(&cmd_replay);
	fd = open(options.log, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return report_failed(options.log, -errno);
	r = replay_look(fd, options.cwd ? options.cwd : options.report.project, &start);
	if (r < 0)
		return report_failed(options.log, r);
	if (replay_fill_in(&options, &start, &git) < 0)
		return report_failed(options.log, -ENOMEM);
	if (load_rules(&options, &loaded) < 0)
		return COMMAND_FAILED;
	return replay_log(&options, fd, &loaded);
}

const struct command cmd_replay = {
	.name = "replay",
	.arguments = "LOG [--policy FILE | --profile NAME] [--policy-dir DIR] [--project DIR] "
		     "[--cwd DIR] [--home DIR] [--exclude DIR] [--rows N] [--json] [--html FILE]",
	.summary = "report on a strace log, and what would have been decided",
	.help = "  LOG                what 'strace -f -o LOG COMMAND' wrote, with any of -t, -tt, -ttt,\n"
		"                     -r, -T, -y, -yy, -x; more is known with -ttt -y, and with\n"
		"                     -e trace=%file,%process,%desc,%network\n"
		"  --policy FILE      decide by this policy\n"
		"  --profile NAME     by this one of the policy directory; default: the one that\n"
		"                     matches the log's first program, else 'generic'\n"
		"  --policy-dir DIR   where profiles and weights.yaml are; default: as 'grith policy'\n"
		"  --project DIR      the project; default: where the log begins (-y), else --cwd\n"
		"  --cwd DIR          what relative paths are taken from; default: the project, else\n"
		"                     the current directory\n"
		"  --home DIR         the user's home directory; default: yours\n"
		"  --exclude DIR      the agent's own installation: left out of counts of files\n"
		"  --rows N           of each table, at most; default 12, 0 for all\n"
		"  --json             for programs, as 'grith report --json'\n"
		"  --html FILE        a page with charts, written to FILE\n"
		"\n"
		"Everything in the log has happened: a verdict is what it would have been. What a log\n"
		"cannot tell is said in the report's notes, with the calls that were not known.\n",
	.run = run,
};
