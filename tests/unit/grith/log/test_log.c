/* SPDX-License-Identifier: MPL-2.0 */
/* What `grith log` understands, and that grithd and the files are asked for the same. */
#include <criterion/criterion.h>
#include <getopt.h>
#include <string.h>
#include <time.h>

#include "grith/cmd/cmd.h"
#include "grith/log/log.h"
#include "lib/proto/proto.h"
#include "command_output.h"

#define NOW (UINT64_C(1767323045) * 1000000000) /* 2026-01-02T03:04:05Z */
#define WORDS_MAX 40

/* Reads a command line whose words are separated by '|'. */
static int split(const char *line, char *ret_argv[WORDS_MAX + 1])
{
	static char copy[1024];
	char *next = copy;
	int argc = 0;

	snprintf(copy, sizeof(copy), "log|%s", line);
	while (next && argc < WORDS_MAX)
		ret_argv[argc++] = strsep(&next, "|");
	ret_argv[argc] = NULL;
	return argc;
}

static int read_options(const char *line, struct log_options *options)
{
	char *argv[WORDS_MAX + 1];
	int argc = split(line, argv);

	optind = 0;
	return log_options_read(argc, argv, NOW, options);
}

static void refused(const char *line, const char *words)
{
	OWNED_OUTPUT struct command_output said = { 0 };
	char *argv[WORDS_MAX + 1];

	split(line, argv);
	command_output_run(&said, &cmd_log, (const char *const *)argv + 1);
	cr_assert_eq(said.status, COMMAND_USAGE, "%s", line);
	cr_assert(strstr(said.err.data, words), "%s: %s", line, said.err.data);
}

Test(cli_log, asked_of_grithd)
{
	CLEANUP(proto_request_freep) struct proto_request *request = NULL;
	OWNED_LOG_OPTIONS struct log_options options = { 0 };
	json_auto_t *json = NULL;
	OWNED_MEM char *line = NULL;
	char why[256];

	cr_assert_eq(
		read_options(
			"--session|blue|--op|read|--verdict|deny|--program|node|--path|/a*|"
			"--rule|base.yaml:*|--score|2.35|--since|10m|--until|2026-01-02T03:00:00Z|"
			"--refused|-n|7|-r|--format|csv",
			&options),
		0);
	cr_assert_eq(options.format, LOG_AS_CSV);
	json = log_options_request(&options);
	json_object_set_new(json, "v", json_integer(PROTO_VERSION));
	line = json_dumps(json, 0);
	cr_assert_eq(proto_request_parse(line, strlen(line), why, sizeof(why), &request), 0, "%s",
		     why);
	cr_assert_str_eq(request->session, "blue");
	cr_assert_str_eq(request->op, "read");
	cr_assert_str_eq(request->verdict, "deny");
	cr_assert_str_eq(request->program, "node");
	cr_assert_str_eq(request->path, "/a*");
	cr_assert_str_eq(request->rule, "base.yaml:*");
	cr_assert(request->by_score && request->refused && request->reverse && !request->follow);
	cr_assert_eq(request->score, 235);
	cr_assert_str_eq(request->since_time, "2026-01-02T02:54:05.000000000Z");
	cr_assert_str_eq(request->until_time, "2026-01-02T03:00:00.000000000Z");
	cr_assert_eq(request->last, 7);
}

Test(cli_log, asked_of_files)
{
	OWNED_LOG_OPTIONS struct log_options options = { 0 };
	struct log_question question;

	cr_assert_eq(read_options("--log-dir|/x|--session|abcdefghij|--op|exec|--path|*\xff|-n|3",
				  &options),
		     0);
	log_options_question(&options, &question);
	cr_assert_str_eq(question.filter.session, "abcdefghij");
	cr_assert_eq(question.filter.op, GRITH_OP_EXEC);
	cr_assert_str_eq(question.filter.path, "*\xff");
	cr_assert_eq(question.last, 3);
	cr_assert_null(options.filter.path);
	log_filter_free(&question.filter);
}

Test(cli_log, following_starts_with_the_last_ones)
{
	OWNED_LOG_OPTIONS struct log_options options = { 0 }, since = { 0 };

	cr_assert_eq(read_options("-f", &options), 0);
	cr_assert_eq(options.last, 10);
	cr_assert_eq(read_options("-f|--since|1h", &since), 0);
	cr_assert_eq(since.last, -1);
}

Test(cli_log, mistakes)
{
	refused("--op|raed", "is read meant?");
	refused("--verdict|no", "--verdict cannot be 'no'");
	refused("--format|xml", "--format cannot be 'xml'");
	refused("--since|yesterday\033", "'yesterday\\e': a span");
	refused("--until|2026-13-01", "a span");
	refused("-n|-1", "--lines cannot be '-1'");
	refused("-n|100001", "100000");
	refused("--score|high", "a score");
	refused("-f|-r", "exclude");
	refused("-f|--log-dir|/x", "needs grithd");
	refused("--log-dir|/x|--session|blue", "must be an id");
	refused("--path|\xff", "not UTF-8");
	refused("what", "what does 'what' mean?");
	refused("--unknown", "unknown");
	refused("--op", "requires an argument");
}

Test(cli_log, points_in_time)
{
	static const struct {
		const char *text, *zone;
		uint64_t seconds;
	} cases[] = {
		{ "90s", "UTC", 1767323045 - 90 },
		{ "1w", "UTC", 1767323045 - 7 * 86400 },
		{ "2026-01-02", "UTC", 1767312000 },
		{ "2026-01-02 03:04", "UTC", 1767323040 },
		{ "2026-01-02T03:04:05", "UTC", 1767323045 },
		{ "2026-01-02 03:04:05", "UTC-2", 1767323045 - 7200 },
		{ "2026-01-02 03:04:05Z", "UTC-2", 1767323045 },
		{ "1970-01-01Z", "UTC-2", 0 },
	};
	uint64_t time;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		setenv("TZ", cases[i].zone, 1);
		tzset();
		cr_assert_eq(moment_parse_point(cases[i].text, NOW, &time), 0, "%s", cases[i].text);
		cr_assert_eq(time, cases[i].seconds * 1000000000, "%s", cases[i].text);
	}
	cr_assert_lt(moment_parse_point("", NOW, &time), 0);
	cr_assert_lt(moment_parse_point("2026-01-02x", NOW, &time), 0);
	cr_assert_lt(moment_parse_point("1969-01-01Z", NOW, &time), 0);
	cr_assert_lt(moment_parse_point("99999d", NOW, &time), 0);
}

Test(cli_log, a_directory_that_is_none)
{
	OWNED_TEXT struct text error = { 0 };
	struct log_question all = { .last = -1 };
	struct log_source *source = NULL;

	cr_assert_eq(log_source_question("/proc/self/no-such", &all, &error, &source), -ENOENT);
	cr_assert_null(source);
	cr_assert(strstr(error.data, "/proc/self/no-such: No such file"), "%s", error.data);
}
