/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What counts as what: each definition of the report, and the cases on both sides of it.
 */
#include "test_report_events.h"

static void add_error(struct report *report, struct log_event event, int error)
{
	event.error = error;
	add(report, event);
}

static void add_flags(struct report *report, struct log_event event, unsigned int flags)
{
	event.flags = flags;
	add(report, event);
}

static void add_refused(struct report *report, struct log_event event, enum grith_verdict verdict)
{
	event.verdict = verdict;
	event.error = verdict == GRITH_HIDE ? ENOENT : EACCES;
	add(report, event);
}

static struct log_event touch_event(uint32_t target, const char *comm)
{
	struct log_event event = file_event(GRITH_OP_PTRACE_ACCESS, "");

	event.kind = LOG_PROCESS;
	event.target = target;
	event.target_comm = TEXT(comm);
	return event;
}

static struct log_event connect_event(const char *address, uint16_t port)
{
	struct log_event event = file_event(GRITH_OP_CONNECT, "");

	event.kind = LOG_NET;
	event.address = TEXT(address);
	event.port = port;
	return event;
}

static struct log_event result_event(int error)
{
	struct log_event event = file_event(GRITH_OP_CONNECT, "");

	event.kind = LOG_RESULT;
	event.decided = false;
	event.error = error;
	return event;
}

static struct log_event exec_event(uint32_t pid, uint32_t ppid, const char *program)
{
	struct log_event event = file_event(GRITH_OP_EXEC, program);

	event.kind = LOG_EXEC;
	event.pid = event.tid = pid;
	event.ppid = ppid;
	event.program = TEXT(program);
	return event;
}

Test(report, files_are_unique_and_happened)
{
	CLEANUP(report_freep) struct report *report = new_report(REPORT_RECORDS);

	add(report, file_event(GRITH_OP_READ, "/etc/hosts"));
	add(report, file_event(GRITH_OP_READ, "/etc/hosts"));
	add_refused(report, file_event(GRITH_OP_READ, "/etc/shadow"), GRITH_DENY);
	add_refused(report, file_event(GRITH_OP_READ, "/home/anna/.npmrc"), GRITH_HIDE);
	add_flags(report, file_event(GRITH_OP_READ, "/held"), GRITH_RECORD_HELD);
	add_flags(report, file_event(GRITH_OP_READ, "/directory"), GRITH_RECORD_DIRECTORY);
	add(report, file_event(GRITH_OP_OPENDIR, "/directory"));
	add(report, file_event(GRITH_OP_EXEC, "/usr/bin/ls"));
	add(report, file_event(GRITH_OP_MAP, "/lib/libc.so"));
	cr_expect_eq(count_of(report, REPORT_FILES_READ), 1);
	cr_expect_eq(count_of(report, REPORT_FILES_WRITTEN), 0);
	cr_expect_eq(count_of(report, REPORT_DENIED), 1);
	cr_expect_eq(count_of(report, REPORT_HIDDEN), 1);
}

Test(report, written_is_opened_created_or_truncated)
{
	CLEANUP(report_freep) struct report *report = new_report(REPORT_RECORDS);

	add(report, file_event(GRITH_OP_CREATE, "/home/anna/project/a"));
	add(report, file_event(GRITH_OP_WRITE, "/home/anna/project/a"));
	add(report, file_event(GRITH_OP_TRUNCATE, "/home/anna/b"));
	add_flags(report, file_event(GRITH_OP_CREATE, "/home/anna/directory"),
		  GRITH_RECORD_DIRECTORY);
	add(report, file_event(GRITH_OP_DELETE, "/home/anna/c"));
	cr_expect_eq(count_of(report, REPORT_FILES_WRITTEN), 2);
	cr_expect_eq(count_of(report, REPORT_FILES_PROJECT), 1);
	cr_expect_eq(count_of(report, REPORT_FILES_OUTSIDE), 1);
}

/* What the session's start says of them; the line may be anybody's. */
static struct report *report_of_start(const char *project, const char *worktrees)
{
	const struct log_event start = {
		.kind = LOG_SESSION,
		.time = SECOND,
		.project = TEXT(project),
		.worktrees = TEXT(worktrees),
	};
	struct report *report = NULL;

	cr_assert_eq(report_new(&(struct report_options) { 0 }, &report), 0);
	add(report, start);
	return report;
}

Test(report, linked_work_trees_are_of_the_project)
{
	CLEANUP(report_freep)
	struct report *report =
		report_of_start("/home/anna/project", "[\"/home/anna/tree/\",\"/srv/other\"]");
	OWNED_REPORT_RESULT struct report_result result = { 0 };
	const struct report_table *places = &result.tables[REPORT_TABLE_PLACES];
	char path[64];

	for (int i = 0; i < 30; i++) {
		snprintf(path, sizeof(path), "/home/anna/tree/%d/%d", i % 3, i);
		add(report, file_event(GRITH_OP_WRITE, path));
	}
	add(report, file_event(GRITH_OP_READ, "/home/anna/tree/.git"));
	add(report, file_event(GRITH_OP_READ, "/home/anna/trees/x"));
	add(report, file_event(GRITH_OP_READ, "/srv/other/x"));
	add(report, file_event(GRITH_OP_READ, "/home/anna/project/x"));
	cr_assert_eq(report_result_make(report, &result), 0);
	cr_expect_eq(result.counts[REPORT_FILES_PROJECT], 33);
	cr_expect_eq(result.counts[REPORT_FILES_OUTSIDE], 1);
	cr_expect_eq(result.tables[REPORT_TABLE_WRITES].n_rows, 0);
	cr_expect_eq(result.tables[REPORT_TABLE_GIT].n_rows, 0);
	for (size_t row = 0; row < places->n_rows; row++) {
		struct record_bytes directory =
			report_cell(places, row, report_column(places, "directory"))->text;
		struct record_bytes where =
			report_cell(places, row, report_column(places, "where"))->text;

		cr_expect_eq(*where.data == 'o', directory.length == 1, "%.*s",
			     (int)directory.length, directory.data);
	}
}

Test(report, work_trees_that_are_none)
{
	static const char *const lines[] = {
		"{\"a\":\"/srv\"}",
		"[1,null,\"relative\",\"/\",\"//\",\"\"]",
		"[\"/srv",
		"",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		CLEANUP(report_freep) struct report *report = report_of_start("/p", lines[i]);

		add(report, file_event(GRITH_OP_READ, "/srv/x"));
		add(report, file_event(GRITH_OP_READ, "/p/x"));
		cr_expect_eq(count_of(report, REPORT_FILES_PROJECT), 1, "%s", lines[i]);
	}
}

Test(report, a_descriptor_of_a_process_is_no_file)
{
	CLEANUP(report_freep) struct report *report = new_report(REPORT_RECORDS);

	add(report, file_event(GRITH_OP_WRITE, "pidfs:"));
	cr_expect_eq(count_of(report, REPORT_FILES_WRITTEN), 0);
	cr_expect_eq(count_of(report, REPORT_FILES_OUTSIDE), 0);
}

Test(report, project_and_agent_are_directories_not_prefixes)
{
	CLEANUP(report_freep) struct report *report = new_report(REPORT_RECORDS);

	add(report, file_event(GRITH_OP_READ, "/home/anna/project/x"));
	add(report, file_event(GRITH_OP_READ, "/home/anna/project-2/x"));
	add(report, file_event(GRITH_OP_READ, "/opt/agent/lib/x"));
	add(report, file_event(GRITH_OP_READ, "/opt/agents/x"));
	cr_expect_eq(count_of(report, REPORT_FILES_READ), 3);
	cr_expect_eq(count_of(report, REPORT_FILES_PROJECT), 1);
	cr_expect_eq(count_of(report, REPORT_FILES_OUTSIDE), 2);
}

Test(report, named_files_count_each_time)
{
	CLEANUP(report_freep) struct report *report = new_report(REPORT_RECORDS);

	for (int i = 0; i < 3; i++)
		add(report, file_event(GRITH_OP_READ, "/home/anna/.gitconfig"));
	add(report, file_event(GRITH_OP_READ, "/home/bob/.gitconfig"));
	add(report, file_event(GRITH_OP_WRITE, "/home/anna/.gitconfig"));
	add(report, file_event(GRITH_OP_READ, "/home/anna/.ssh/known_hosts"));
	add(report, file_event(GRITH_OP_READ, "/etc/passwd-"));
	cr_expect_eq(count_of(report, REPORT_GITCONFIG), 3);
	cr_expect_eq(count_of(report, REPORT_SSH_HOSTS), 1);
	cr_expect_eq(count_of(report, REPORT_PASSWD), 0);
}

Test(report, calls_are_what_they_ended_with)
{
	CLEANUP(report_freep) struct report *report = new_report(REPORT_CALLS);
	struct log_event event = file_event(GRITH_OP_READ, "/etc/shadow");

	event.verdict = GRITH_DENY; /* it would have been */
	event.flags = GRITH_RECORD_OBSERVED;
	add(report, event);
	add_error(report, file_event(GRITH_OP_READ, "/nothing"), ENOENT);
	add_error(report, connect_event("192.0.2.1", 443), EINPROGRESS);
	add_error(report, connect_event("192.0.2.2", 443), ECONNREFUSED);
	add(report, file_event(GRITH_OP_READ, "/proc/7/environ"));
	add_error(report, file_event(GRITH_OP_READ, "/proc/8/environ"), EACCES);
	cr_expect_eq(count_of(report, REPORT_FILES_READ), 2);
	cr_expect_eq(count_of(report, REPORT_DENIED), 1);
	cr_expect_eq(count_of(report, REPORT_CONNECTIONS), 1);
	cr_expect_eq(count_of(report, REPORT_ENVIRON_TRIED), 2);
	cr_expect_eq(count_of(report, REPORT_ENVIRON_READ), 1);
}

/* The open is recorded, then the touch, which decides; or none, where the kernel refuses first. */
Test(report, environments_are_read_when_the_process_may_be_touched)
{
	CLEANUP(report_freep) struct report *report = new_report(REPORT_RECORDS);
	OWNED_REPORT_RESULT struct report_result result = { 0 };
	const struct report_table *table = &result.tables[REPORT_TABLE_PROCESSES];

	add(report, file_event(GRITH_OP_READ, "/proc/900/environ"));
	add(report, touch_event(900, "firefox"));
	add(report, file_event(GRITH_OP_READ, "/proc/901/environ"));
	add_refused(report, touch_event(901, "firefox"), GRITH_DENY);
	add(report, file_event(GRITH_OP_READ, "/proc/902/environ"));
	add(report, file_event(GRITH_OP_READ, "/proc/100/environ")); /* its own */
	add(report, file_event(GRITH_OP_READ, "/proc/903/status"));
	cr_assert_eq(report_result_make(report, &result), 0);
	cr_expect_eq(result.counts[REPORT_ENVIRON_TRIED], 3);
	cr_expect_eq(result.counts[REPORT_ENVIRON_READ], 1);
	cr_expect_eq(result.counts[REPORT_FILES_READ], 3, "900, 100 and status");
	cr_assert_eq(table->n_rows, 2);
	cr_expect_eq(report_cell(table, 0, report_column(table, "processes"))->number, 2);
	cr_expect_eq(report_cell(table, 0, report_column(table, "refused"))->number, 1);
	cr_expect_eq(strncmp(report_cell(table, 0, report_column(table, "kind"))->text.data,
			     "browser", 7),
		     0);
}

Test(report, other_threads_do_not_settle_what_waits)
{
	CLEANUP(report_freep) struct report *report = new_report(REPORT_RECORDS);
	struct log_event other = file_event(GRITH_OP_READ, "/etc/hosts");

	other.tid = 101;
	add(report, file_event(GRITH_OP_READ, "/proc/900/environ"));
	add(report, other);
	add(report, touch_event(900, "firefox"));
	cr_expect_eq(count_of(report, REPORT_ENVIRON_READ), 1);
}

Test(report, connections_that_did_not_fail)
{
	CLEANUP(report_freep) struct report *report = new_report(REPORT_RECORDS);

	add(report, connect_event("192.0.2.1", 443));
	add(report, result_event(EINPROGRESS));
	add(report, connect_event("192.0.2.1", 443));
	add(report, result_event(0));
	add(report, connect_event("192.0.2.1", 80));
	add(report, result_event(ECONNREFUSED));
	add_refused(report, connect_event("192.0.2.9", 443), GRITH_DENY);
	cr_expect_eq(count_of(report, REPORT_CONNECTIONS), 1);
}

Test(report, programs_and_who_started_them)
{
	CLEANUP(report_freep) struct report *report = new_report(REPORT_RECORDS);
	OWNED_REPORT_RESULT struct report_result result = { 0 };
	const struct report_table *tree = &result.tables[REPORT_TABLE_TREE];

	add(report, exec_event(10, 1, "/usr/bin/agent"));
	for (uint32_t pid = 11; pid < 15; pid++)
		add(report, exec_event(pid, 10, "/usr/bin/git"));
	add(report, exec_event(15, 11, "/usr/bin/ssh"));
	cr_assert_eq(report_result_make(report, &result), 0);
	cr_expect_eq(result.counts[REPORT_PROGRAMS], 3);
	cr_expect_eq(result.counts[REPORT_EXECS], 6);
	cr_assert_eq(tree->n_rows, 3, "one line for all of git");
	cr_expect_eq(report_cell(tree, 1, report_column(tree, "depth"))->number, 1);
	cr_expect_eq(report_cell(tree, 1, report_column(tree, "processes"))->number, 4);
	cr_expect_eq(report_cell(tree, 2, report_column(tree, "depth"))->number, 2);
}

Test(report, what_start_up_files_start)
{
	CLEANUP(report_freep) struct report *report = new_report(REPORT_RECORDS);
	OWNED_REPORT_RESULT struct report_result result = { 0 };
	struct log_event profile = file_event(GRITH_OP_READ, "/etc/profile");

	profile.pid = profile.tid = 20;
	profile.program = TEXT("/bin/bash");
	add(report, exec_event(20, 1, "/bin/bash"));
	add(report, profile);
	add(report, exec_event(21, 20, "/usr/bin/id"));
	add(report, exec_event(20, 1, "/usr/bin/ls")); /* becomes its command */
	add(report, exec_event(22, 20, "/usr/bin/tail"));
	/* who merely reads it has not started with it */
	add(report, file_event(GRITH_OP_READ, "/etc/profile"));
	cr_assert_eq(report_result_make(report, &result), 0);
	cr_expect_eq(result.tables[REPORT_TABLE_STARTUP].n_rows, 2);
}

Test(report, an_exec_is_decided_once)
{
	CLEANUP(report_freep) struct report *report = new_report(REPORT_RECORDS);
	struct log_event fact = exec_event(100, 1, "/usr/bin/sudo");
	struct log_event decision = file_event(GRITH_OP_EXEC, "/usr/bin/sudo");

	fact.verdict = decision.verdict = GRITH_DENY;
	fact.flags = decision.flags = GRITH_RECORD_OBSERVED;
	add(report, decision);
	add(report, fact);
	cr_expect_eq(count_of(report, REPORT_DENIED), 1);
	cr_expect_eq(count_of(report, REPORT_EXECS), 1);
}

Test(report, git_above_the_project)
{
	CLEANUP(report_freep) struct report *report = new_report(REPORT_RECORDS);
	OWNED_REPORT_RESULT struct report_result result = { 0 };
	const struct report_table *git = &result.tables[REPORT_TABLE_GIT];

	add(report, file_event(GRITH_OP_READ, "/home/anna/.git/config"));
	add(report, file_event(GRITH_OP_READ, "/home/anna/.git/config"));
	add(report, file_event(GRITH_OP_READ, "/home/anna/project/.git/config"));
	add(report, file_event(GRITH_OP_READ, "/srv/plugin/.git/HEAD"));
	add(report, file_event(GRITH_OP_READ, "/home/anna/.gitignore"));
	cr_assert_eq(report_result_make(report, &result), 0);
	cr_assert_eq(git->n_rows, 2);
	cr_expect_eq(strncmp(report_cell(git, 0, 1)->text.data, "above", 5), 0);
	cr_expect_eq(strncmp(report_cell(git, 1, 1)->text.data, "elsewhere", 9), 0);
}

Test(report, rules_that_were_not_used)
{
	CLEANUP(report_freep) struct report *report = new_report(REPORT_RECORDS);
	OWNED_REPORT_RESULT struct report_result result = { 0 };
	const struct report_table *rules = &result.tables[REPORT_TABLE_RULES];

	add(report, file_event(GRITH_OP_READ, "/etc/hosts"));
	cr_assert_eq(report_add_rule(report, "base.yaml:1", "system"), 0);
	cr_assert_eq(report_add_rule(report, "base.yaml:2", NULL), 0);
	cr_assert_eq(report_result_make(report, &result), 0);
	cr_assert_eq(rules->n_rows, 2);
	cr_expect_eq(report_cell(rules, 0, report_column(rules, "total"))->number, 1);
	cr_expect_eq(report_cell(rules, 1, report_column(rules, "total"))->number, 0);
}
