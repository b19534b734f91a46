/* SPDX-License-Identifier: MPL-2.0 */
/* The audit log of a whole grithd: it verifies, through kills and rotation, or nothing runs. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>

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
