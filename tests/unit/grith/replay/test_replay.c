/* SPDX-License-Identifier: MPL-2.0 */
/* A strace log, evaluated by the shipped policies as a session would have been. */
#include <sys/mman.h>

#include <criterion/criterion.h>

#include "grith/replay/evaluate.h"
#include "grith/replay/replay.h"
#include "grith/replay/rules.h"
#include "lib/base/base.h"

#define HOME "/home/anna"
#define PROJECT HOME "/shop"

/* One log being evaluated: a word for each event that was decided. */
struct judging {
	struct replay_evaluator *evaluator;
	struct strace_log *log;
	struct text text;
	const char *part; /* a filter */
	bool found; /* it added to some score */
};

static void judging_clear(struct judging *j)
{
	replay_evaluator_free(j->evaluator);
	strace_log_free(j->log);
	text_free(&j->text);
}

static int on_event(void *arg, struct log_event *event)
{
	struct judging *j = arg;

	cr_assert_eq(replay_evaluate(j->evaluator, strace_log_notes(j->log).has_times, event), 0);
	if (!event->decided)
		return 0;
	cr_assert_eq(!!(event->flags & GRITH_RECORD_OBSERVED), event->verdict != GRITH_ALLOW);
	cr_assert_gt(event->rule.length, 0);
	if (j->part && event->parts.length &&
	    memmem(event->parts.data, event->parts.length, j->part, strlen(j->part)))
		j->found = true;
	text_addf(&j->text, "%s ", verdict_name(event->verdict));
	return 0;
}

#define OWNED_LOADED CLEANUP(replay_loaded_clear)

static struct replay_loaded load(const char *profile)
{
	const struct replay_choice choice = {
		.profile = profile,
		.directory = "policy",
		.context = { .project = PROJECT,
			     .worktree = PROJECT,
			     .git_directory = PROJECT "/.git",
			     .home = HOME,
			     .user = "anna",
			     .uid = 1000 },
	};
	struct replay_loaded loaded = { 0 };
	OWNED_DIAG struct diag diag = { 0 };

	cr_assert_eq(replay_load(&choice, &diag, &loaded), 0);
	return loaded;
}

static void begin(struct judging *j, const struct replay_loaded *loaded)
{
	const struct strace_options where = { .cwd = PROJECT };
	const struct replay_rules rules = {
		.policy = loaded->loaded.policy,
		.image = loaded->loaded.image,
		.weights = loaded->weights,
		.home = HOME,
		.project = PROJECT,
		.user = "anna",
	};

	cr_assert_eq(replay_evaluator_new(&rules, &j->evaluator), 0);
	cr_assert_eq(strace_log_new(&where, on_event, j, &j->log), 0);
	text_add(&j->text, "", 0);
}

static void feed(struct strace_log *log, const char *text)
{
	while (*text) {
		size_t length = strcspn(text, "\n");

		cr_assert_eq(strace_log_line(log, text, length), 0);
		text += length + (text[length] == '\n');
	}
}

static void expect(const struct replay_loaded *loaded, const char *log, const char *verdicts)
{
	CLEANUP(judging_clear) struct judging j = { 0 };

	begin(&j, loaded);
	feed(j.log, log);
	cr_assert_str_eq(j.text.data, verdicts, "%sgave %s", log, j.text.data);
}

#define OPEN(path) "7 1700000000.1 openat(AT_FDCWD, \"" path "\", O_RDONLY) = 3\n"
#define CONNECT(address)                                                      \
	"7 1700000001.1 connect(4, {sa_family=AF_INET, sin_port=htons(443), " \
	"sin_addr=inet_addr(\"" address "\")}, 16) = -1 EINPROGRESS (Operation in progress)\n"

Test(replay, rules_decide)
{
	OWNED_LOADED struct replay_loaded loaded = load("generic");

	expect(&loaded, OPEN("src/a.c") OPEN("/usr/lib/libc.so.6"), "allow allow ");
	expect(&loaded, OPEN(HOME "/.npmrc"), "hide ");
	expect(&loaded, OPEN(HOME "/.ssh/id_ed25519"), "deny ");
	expect(&loaded, OPEN("../shop/a/../b"), "allow ");
	/* Both ends of a rename, and both kinds of access. */
	expect(&loaded, "7 rename(\"a\", \"" HOME "/.ssh/authorized_keys\") = 0\n", "deny ");
}

Test(replay, what_failed_was_not_decided)
{
	OWNED_LOADED struct replay_loaded loaded = load("generic");

	expect(&loaded,
	       "7 openat(AT_FDCWD, \"" HOME "/.npmrc\", O_RDONLY) = -1 ENOENT (No such file)\n",
	       "");
	/* A connection is decided before the network has its say. */
	expect(&loaded,
	       "7 connect(4, {sa_family=AF_INET, sin_port=htons(80), "
	       "sin_addr=inet_addr(\"169.254.169.254\")}, 16) = -1 ENETUNREACH (Unreachable)\n",
	       "deny ");
}

Test(replay, other_processes)
{
	OWNED_LOADED struct replay_loaded loaded = load("generic");

	/* 9 is of the session, 12 is not. */
	expect(&loaded,
	       "9 openat(AT_FDCWD, \"/proc/self/environ\", O_RDONLY) = 3\n"
	       "7 openat(AT_FDCWD, \"/proc/9/environ\", O_RDONLY) = 3\n"
	       "7 openat(AT_FDCWD, \"/proc/12/environ\", O_RDONLY) = 3\n"
	       "7 openat(AT_FDCWD, \"/proc/12/stat\", O_RDONLY) = 3\n",
	       "allow allow deny allow ");
}

Test(replay, a_secret_that_was_read_makes_a_connection_doubtful)
{
	OWNED_LOADED struct replay_loaded loaded = load("generic-cli");
	CLEANUP(judging_clear) struct judging j = { .part = "taint" };

	begin(&j, &loaded);
	feed(j.log, OPEN("src/a.c") CONNECT("192.0.2.1"));
	cr_assert_not(j.found);
	cr_assert_null(strstr(j.text.data, "deny"), "%s", j.text.data);
	j.text.length = 0;
	feed(j.log, OPEN(PROJECT "/.env") CONNECT("192.0.2.2"));
	cr_assert(j.found);
	cr_assert_null(strstr(j.text.data, "allow"), "%s", j.text.data);
}

Test(replay, arguments_are_judged)
{
	OWNED_LOADED struct replay_loaded loaded = load("generic-cli");

	expect(&loaded,
	       "7 execve(\"/usr/bin/rm\", [\"rm\", \"-rf\", \"build\"], 0x7 /* 1 var */) = 0\n",
	       "allow ");
	expect(&loaded,
	       "7 execve(\"/usr/bin/rm\", [\"rm\", \"-rf\", \"/\"], 0x7 /* 1 var */) = 0\n",
	       "deny ");
}

/* --- where a log began */

static int file_of(const char *text)
{
	int fd = memfd_create("log", MFD_CLOEXEC);

	cr_assert_geq(fd, 0);
	cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	lseek(fd, 0, SEEK_SET);
	return fd;
}

Test(replay, the_beginning_of_a_log)
{
	CLEANUP(replay_start_clear) struct replay_start start = { 0 };
	OWNED_FD int fd = file_of(
		"7 execve(\"/nope\", [\"nope\"], 0x7) = -1 ENOENT (No such file)\n"
		"7 execve(\"/usr/bin/node\", [\"node\", \"/usr/bin/codex\", \"x\"], 0x7) = 0\n"
		"7 openat(AT_FDCWD</srv/mono/a>, \"b\", O_RDONLY) = 3</srv/mono/a/b>\n"
		"7 openat(AT_FDCWD</srv/mono/a>, \"/srv/mono/.git/HEAD\", O_RDONLY) = 3\n");

	cr_assert_eq(replay_look(fd, NULL, &start), 0);
	cr_assert_str_eq(start.program, "/usr/bin/node");
	cr_assert_str_eq(start.script, "/usr/bin/codex");
	cr_assert_str_eq(start.cwd, "/srv/mono/a");
	cr_assert_str_eq(start.worktree, "/srv/mono");
	cr_assert_eq(lseek(fd, 0, SEEK_CUR), 0);
}

Test(replay, the_profile_is_that_of_the_program_or_its_script)
{
	static const struct {
		const char *program, *script, *profile;
	} cases[] = {
		{ "/opt/x/claude", NULL, "claude-code" },
		{ "/usr/bin/node", "/usr/bin/codex", "codex" },
		{ "/usr/bin/make", NULL, "generic" },
		{ NULL, NULL, "generic" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(replay_loaded_clear) struct replay_loaded loaded = { 0 };
		OWNED_DIAG struct diag diag = { 0 };
		const struct replay_choice choice = {
			.directory = "policy",
			.program = cases[i].program,
			.script = cases[i].script,
			.context = { .project = PROJECT, .home = HOME, .user = "anna" },
		};

		cr_assert_eq(replay_load(&choice, &diag, &loaded), 0);
		cr_expect_str_eq(loaded.loaded.policy->name, cases[i].profile);
		cr_expect_not_null(loaded.weights);
	}
}

/* --- lines out of a file, and what is said of them */

static int ignore(void *arg, struct log_event *event)
{
	(void)arg;
	(void)event;
	return 0;
}

Test(replay, a_line_without_end_is_left_out)
{
	const struct strace_options none = { 0 };
	CLEANUP(strace_log_freep) struct strace_log *log = NULL;
	static const char tail[] = "\n7 unlink(\"/a\") = 0\n7 unlink(\"/b\") = 0";
	OWNED_MEM char *text = calloc(1, 2 * STRACE_LINE_MAX + 64);
	uint64_t too_long = 0;
	OWNED_FD int fd = -1;

	memset(text, 'x', 2 * STRACE_LINE_MAX);
	memcpy(text + 2 * STRACE_LINE_MAX, tail, sizeof(tail));
	fd = file_of(text);
	cr_assert_eq(strace_log_new(&none, ignore, NULL, &log), 0);
	cr_assert_eq(replay_read(fd, log, &too_long), 0);
	cr_assert_eq(too_long, 1);
	cr_assert_eq(strace_log_notes(log).events, 2);
}

static bool has_note(const struct report_result *result, const char *words)
{
	for (size_t i = 0; i < result->n_notes; i++)
		if (strstr(result->notes[i], words))
			return true;
	return false;
}

Test(replay, what_a_log_cannot_tell_is_said)
{
	const struct strace_name unknown[] = { { "read", 3 }, { "write", 5 } };
	const struct strace_notes notes = {
		.lines = 20,
		.unreadable = 2,
		.guessed = 4,
		.unknown = unknown,
		.n_unknown = 2,
	};
	OWNED_REPORT_RESULT struct report_result result = { 0 };
	CLEANUP(report_freep) struct report *report = NULL;

	cr_assert_eq(report_new(&(struct report_options) { .source = REPORT_CALLS }, &report), 0);
	cr_assert_eq(replay_add_notes(&(struct replay_noted) { &notes, "/srv", NULL, 1 }, report),
		     0);
	cr_assert_eq(report_result_make(report, &result), 0);
	cr_expect(has_note(&result,
			   "8 calls are not known here and were left out: write (5), read (3)"));
	cr_expect(has_note(&result, "2 of 20 lines"));
	cr_expect(has_note(&result, "4 paths are relative"));
	cr_expect(has_note(&result, "below /srv (--cwd): there is no chdir"));
	cr_expect(has_note(&result, "no times"));
	cr_expect(has_note(&result, "links are not followed"));
	cr_expect(has_note(&result, "nothing was decided"));
}
