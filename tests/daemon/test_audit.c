/* SPDX-License-Identifier: MPL-2.0 */
/* The audit log of a whole grithd: it verifies, through kills and rotation, or nothing runs. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "lib/audit/audit.h"
#include "harness.h"

#define START "{\"v\":1,\"do\":\"start\",\"command\":[\"agent\"]}"
#define LIST "{\"v\":1,\"do\":\"list\"}"
#define NOBODY 65534

TestSuite(audit, .init = harness_set_up, .fini = harness_tear_down, .timeout = 120);

static pid_t start(uint64_t *ret_cgroup)
{
	json_t *reply, *state;
	pid_t agent = agent_start(NOBODY, START, &reply);

	cr_assert(is_ok(reply));
	state = session_state(string_of(reply, "session"));
	*ret_cgroup = json_integer_value(json_object_get(state, "cgroup"));
	return agent;
}

static void send_records(uint64_t cgroup, uint64_t from, uint64_t count, pid_t agent)
{
	for (uint64_t i = from; i < from + count; i++)
		send_record(cgroup, i, agent, "/usr/lib/some/long/name/of/a/file", GRITH_ALLOW);
}

static size_t compressed_segments(void)
{
	OWNED_AUDIT_SEGMENTS struct audit_segments segments = { 0 };
	OWNED_FD int log = open(at("log"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	size_t count = 0;

	cr_assert_eq(audit_segments_list(log, &segments), 0);
	for (size_t i = 0; i < segments.count; i++)
		count += segments.list[i].compressed && !segments.list[i].plain;
	return count;
}

Test(audit, verifies_through_rotation_and_kills)
{
	struct audit_verify found;
	uint64_t cgroup;
	pid_t agent;

	daemon_start_with("--audit-size=64K");
	agent = start(&cgroup);
	/* A file is sealed when it is written, so what is written at once is one segment. */
	for (uint64_t i = 0; i < 2000; i += 100) {
		send_records(cgroup, i, 100, agent);
		cr_assert(is_ok(ask(LIST))); /* all are written down */
	}
	for (int i = 0; i < WAIT_MS / 10 && compressed_segments() < 5; i++)
		poll(NULL, 0, 10);
	cr_assert_geq(compressed_segments(), 5);
	daemon_signal(SIGKILL);
	daemon_wait();
	daemon_start_with("--audit-size=64K");
	send_records(cgroup, 2000, 100, agent);
	cr_assert(is_ok(ask(LIST)));
	daemon_signal(SIGTERM);
	cr_assert_eq(daemon_wait(), 0);
	found = verify_log();
	cr_assert_eq(found.fault, AUDIT_WHOLE, "%s:%d: %s", found.at.file, (int)found.at.line,
		     found.detail);
	cr_assert_gt(found.last.n, 2100);
	cr_assert_eq(found.unsigned_lines, 0);
}

/* Until the session is said to be in that state. */
static void wait_for_state(const char *state)
{
	for (int i = 0; i < WAIT_MS / 10; i++) {
		json_t *reply = ask(LIST);
		json_t *session = json_array_get(json_object_get(reply, "sessions"), 0);
		bool is = !strcmp(string_of(session, "state"), state);

		json_decref(reply);
		if (is)
			return;
		poll(NULL, 0, 10);
	}
	cr_assert_fail("the session is not %s", state);
}

Test(audit, strict_lets_nothing_run_that_is_not_written)
{
	struct audit_verify found;
	uint64_t cgroup;
	pid_t agent;
	char *log;

	mkdir(at("log"), 0700);
	if (mount("none", at("log"), "tmpfs", 0, "size=64k,mode=700") < 0)
		cr_skip_test("cannot mount a tmpfs");
	daemon_start_with("--audit=strict");
	agent = start(&cgroup);
	wait_for_state("running");
	send_records(cgroup, 0, 500, agent);
	wait_for_state("frozen");
	cr_assert_eq(mount(NULL, at("log"), NULL, MS_REMOUNT, "size=64m"), 0);
	wait_for_state("running");
	daemon_signal(SIGTERM);
	cr_assert_eq(daemon_wait(), 0);
	log = read_file(at("log/audit.jsonl"));
	cr_assert_not_null(strstr(log, "\"op\":\"freeze\",\"reason\":\"the audit log cannot"));
	cr_assert_not_null(strstr(log, "\"op\":\"thaw\",\"reason\":\"the audit log can be"));
	free(log);
	found = verify_log();
	cr_assert_eq(found.fault, AUDIT_WHOLE, "%s", found.detail);
}

/* --- losses */

/* What the log has of a session: entries with a number, and entries lost for that reason. */
struct account {
	uint64_t entries, lost;
};

static struct account read_account(const char *session, const char *reason)
{
	struct account account = { 0 };
	char *log = read_file(at("log/audit.jsonl")), *rest = log, *line;

	while ((line = strsep(&rest, "\n")) && *line) {
		json_t *json = json_loads(line, 0, NULL);

		cr_assert_not_null(json, "%s", line);
		if (!strcmp(json_string_value(json_object_get(json, "session")) ?: "", session)) {
			account.entries += !!json_object_get(json, "seq");
			if (!strcmp(string_of(json, "kind"), "gap")) {
				cr_assert_not_null(strstr(string_of(json, "reason"), reason), "%s",
						   line);
				account.lost += json_integer_value(json_object_get(json, "lost"));
			}
		}
		json_decref(json);
	}
	free(log);
	return account;
}

static uint64_t listed_lost(void)
{
	json_t *reply = ask(LIST), *session = json_array_get(json_object_get(reply, "sessions"), 0);
	json_t *counts = json_object_get(session, "counts");
	uint64_t lost = json_integer_value(json_object_get(counts, "lost"));

	json_decref(reply);
	return lost;
}

#define MORE_THAN_IS_KEPT 30000 /* records: some bytes more than AUDIT_PENDING_MAX */

/* Each record is an entry, or counted in a gap of its session that says why. */
Test(audit, what_cannot_be_written_is_lost_for_that_reason)
{
	struct account account;
	uint64_t cgroup;
	json_t *reply;
	pid_t agent;
	char id[16];

	mkdir(at("log"), 0700);
	if (mount("none", at("log"), "tmpfs", 0, "size=64k,mode=700") < 0)
		cr_skip_test("cannot mount a tmpfs");
	daemon_start();
	agent = agent_start(NOBODY, START, &reply);
	snprintf(id, sizeof(id), "%s", string_of(reply, "session"));
	cgroup = json_integer_value(json_object_get(session_state(id), "cgroup"));
	send_records(cgroup, 0, MORE_THAN_IS_KEPT, agent);
	cr_assert_gt(listed_lost(), 0);
	cr_assert_eq(mount(NULL, at("log"), NULL, MS_REMOUNT, "size=64m"), 0);
	send_records(cgroup, MORE_THAN_IS_KEPT, 1, agent);
	cr_assert(is_ok(ask(LIST)));
	daemon_signal(SIGTERM);
	cr_assert_eq(daemon_wait(), 0);
	account = read_account(id, "No space left on device");
	cr_assert_gt(account.lost, 0);
	cr_assert_eq(account.entries + account.lost, MORE_THAN_IS_KEPT + 1, "%d and %d",
		     (int)account.entries, (int)account.lost);
}

/* Nothing runs, and what was there is kept in the ring until it can be written. */
Test(audit, strict_loses_nothing)
{
	struct account account;
	uint64_t cgroup;
	json_t *reply;
	pid_t agent, sender;
	char id[16];

	mkdir(at("log"), 0700);
	if (mount("none", at("log"), "tmpfs", 0, "size=64k,mode=700") < 0)
		cr_skip_test("cannot mount a tmpfs");
	daemon_start_with("--audit=strict");
	agent = agent_start(NOBODY, START, &reply);
	snprintf(id, sizeof(id), "%s", string_of(reply, "session"));
	cgroup = json_integer_value(json_object_get(session_state(id), "cgroup"));
	sender = fork();
	if (!sender) {
		for (uint64_t i = 0; i < MORE_THAN_IS_KEPT; i++)
			if (!try_send_record(cgroup, i, agent, "/usr/lib/some/long/name/of/a/file",
					     GRITH_ALLOW))
				_exit(1);
		_exit(0);
	}
	wait_for_state("frozen");
	cr_assert_eq(waitpid(sender, NULL, WNOHANG), 0, "all was taken in");
	cr_assert_eq(mount(NULL, at("log"), NULL, MS_REMOUNT, "size=64m"), 0);
	cr_assert_eq(waitpid(sender, NULL, 0), sender);
	wait_for_state("running");
	daemon_signal(SIGTERM);
	cr_assert_eq(daemon_wait(), 0);
	account = read_account(id, "");
	cr_assert_eq(account.lost, 0);
	cr_assert_eq(account.entries, MORE_THAN_IS_KEPT);
}

/* Nothing comes after them that would show it. */
Test(audit, the_last_records_are_lost_too)
{
	struct account account;
	uint64_t cgroup;
	json_t *reply;
	pid_t agent;
	char id[16];

	daemon_start();
	agent = agent_start(NOBODY, START, &reply);
	snprintf(id, sizeof(id), "%s", string_of(reply, "session"));
	cgroup = json_integer_value(json_object_get(session_state(id), "cgroup"));
	send_records(cgroup, 0, 3, agent);
	send_made(cgroup, 10);
	for (int i = 0; i < WAIT_MS / 10 && listed_lost() != 7; i++)
		poll(NULL, 0, 10);
	cr_assert_eq(listed_lost(), 7);
	send_made(cgroup, 15);
	cr_assert(is_ok(ask(LIST)));
	agent_kill_child(agent);
	agent_leave(agent);
	wait_for_end(id);
	daemon_signal(SIGTERM);
	cr_assert_eq(daemon_wait(), 0);
	account = read_account(id, "the ring buffer was full");
	cr_assert_eq(account.entries, 3);
	cr_assert_eq(account.lost, 12);
}

/* The one before this one was killed between taking them and writing them. */
Test(audit, what_an_earlier_grithd_took_is_lost_with_it)
{
	struct account account;
	uint64_t cgroup;
	json_t *reply;
	pid_t agent;
	char id[16];

	daemon_start();
	agent = agent_start(NOBODY, START, &reply);
	snprintf(id, sizeof(id), "%s", string_of(reply, "session"));
	cgroup = json_integer_value(json_object_get(session_state(id), "cgroup"));
	send_records(cgroup, 0, 3, agent);
	cr_assert(is_ok(ask(LIST)));
	daemon_signal(SIGKILL);
	daemon_wait();
	daemon_start();
	send_records(cgroup, 8, 2, agent);
	send_made(cgroup, 10);
	for (int i = 0; i < WAIT_MS / 10 && listed_lost() != 5; i++)
		poll(NULL, 0, 10);
	daemon_signal(SIGTERM);
	cr_assert_eq(daemon_wait(), 0);
	account = read_account(id, "an earlier grithd");
	cr_assert_eq(account.entries, 5);
	cr_assert_eq(account.lost, 5);
}
