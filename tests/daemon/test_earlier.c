/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A state directory and an audit log that an earlier grithd wrote (tests/daemon/earlier, by commit
 * cd83bba) are read as they are: a session that runs, one that has ended, answers, learned trust, a
 * canary, and a log of which one segment is compressed.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "fake_kernel.h"
#include "harness_hold.h"

#define NOBODY 65534
#define RUNNING "ifc3wq93ii" /* its id; four of its records are in the log */
#define RUNNING_RECORDS 4

/* Copied, as root's own: permissions are not kept in the repository. */
static void set_up(void)
{
	char command[256];

	harness_set_up();
	snprintf(command, sizeof(command),
		 "cp -r tests/daemon/earlier/. '%s' && chmod -R go= '%s' '%s'", at(""), at("state"),
		 at("log"));
	cr_assert_eq(system(command), 0);
}

TestSuite(earlier, .init = set_up, .fini = harness_tear_down, .timeout = 120);

/* A process in a cgroup for the session, which the state file and the kernel know by its number. */
static void revive(struct test_session *ret_session)
{
	struct entry entry = { .session = { .uid = NOBODY } };
	char path[256], pid[16];
	json_t *state = session_state(RUNNING);
	FILE *file;
	int fd;

	snprintf(path, sizeof(path), "%s/" RUNNING, cgroup_root());
	cr_assert_eq(mkdir(path, 0755), 0);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cr_assert_eq(cgroup_id(fd, &entry.cgroup), 0);
	*ret_session = (struct test_session) {
		.agent = fork(), .id = RUNNING, .cgroup = entry.cgroup, .sequence = RUNNING_RECORDS
	};
	if (ret_session->agent == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	snprintf(pid, sizeof(pid), "%d", (int)ret_session->agent);
	cr_assert_eq(cgroup_write(fd, "cgroup.procs", pid), 0);
	close(fd);
	json_object_set_new(state, "cgroup", json_integer((json_int_t)entry.cgroup));
	cr_assert_eq(json_dump_file(state, at("state/sessions/" RUNNING ".json"), JSON_COMPACT), 0);
	mkdir(at("bpf"), 0700);
	file = fopen(at("bpf/sessions"), "we");
	cr_assert_eq(fwrite(&entry, sizeof(entry), 1, file), 1);
	fclose(file);
}

static json_t *first_of(const char *request, const char *list)
{
	json_t *reply = ask(request);

	cr_assert(is_ok(reply));
	cr_assert_eq(json_array_size(json_object_get(reply, list)), 1);
	return json_array_get(json_object_get(reply, list), 0);
}

Test(earlier, the_session_goes_on_with_its_answers)
{
	struct test_session session;
	struct test_hold hold = { .op = GRITH_OP_WRITE, .path = "/a/other", .object = 1 };
	json_t *found;

	revive(&session);
	daemon_start();
	found = first_of("{\"v\":1,\"do\":\"list\"}", "sessions");
	cr_assert_str_eq(string_of(found, "id"), RUNNING);
	cr_assert_str_eq(string_of(found, "name"), "running");
	cr_assert_str_eq(string_of(found, "profile"), "generic");
	hold.pid = waiter_start();
	hold_expect_let_go(&session, &hold, GRITH_ALLOW); /* by the answer for its directory */
	hold = (struct test_hold) {
		.pid = waiter_start(), .op = GRITH_OP_WRITE, .path = "/c/d", .object = 2
	};
	hold_expect_let_go(&session, &hold, GRITH_DENY); /* by the user's remembered answer */
	found = first_of("{\"v\":1,\"do\":\"list\"}", "sessions");
	found = json_object_get(found, "counts");
	cr_assert_eq(json_integer_value(json_object_get(found, "lost")), 0);
}

Test(earlier, trust_and_canaries_are_known)
{
	char *text = read_file("policy/weights.yaml");
	json_t *found;

	write_file(at("policy/weights.yaml"), text);
	free(text);
	daemon_start();
	found = first_of("{\"v\":1,\"do\":\"trust\"}", "trust");
	cr_assert_str_eq(string_of(found, "program"), "/usr/bin/rm");
	found = first_of("{\"v\":1,\"do\":\"canary\",\"action\":\"list\"}", "canaries");
	cr_assert_str_eq(string_of(found, "name"), "token");
}

/* The lines that a `log` request is answered with. */
static size_t log_lines(const char *session)
{
	int fd = connect_daemon();
	size_t count = 0;
	char request[128];
	json_t *line;

	snprintf(request, sizeof(request), "{\"v\":1,\"do\":\"log\",\"session\":\"%s\"}\n",
		 session);
	send_text(fd, request);
	cr_assert(is_ok(read_reply(fd)));
	while ((line = read_reply(fd)) && !has_true(line, "end"))
		count += json_object_get(line, "event") != NULL;
	cr_assert_not_null(line);
	close(fd);
	return count;
}

Test(earlier, the_log_goes_on_and_is_whole)
{
	struct test_session session;
	struct audit_verify found;
	char *text;

	revive(&session);
	daemon_start();
	cr_assert_eq(log_lines("earlier"), 154); /* start, 151 records, kill, end */
	cr_assert_gt(log_lines("running"), RUNNING_RECORDS);
	daemon_signal(SIGTERM);
	cr_assert_eq(daemon_wait(), 0);
	found = verify_log();
	cr_assert_eq(found.fault, AUDIT_WHOLE, "%s:%d: %s", found.at.file, (int)found.at.line,
		     found.detail);
	text = read_file(at("log/audit.jsonl"));
	cr_assert_not_null(strstr(text, "\"adopted\""));
	cr_assert_null(strstr(text, "\"lost\""), "%s", text);
	free(text);
}
