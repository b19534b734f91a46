/* SPDX-License-Identifier: MPL-2.0 */
/* Bad requests, floods and silence: grithd answers the next one all the same. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "harness.h"

#define STATUS "{\"v\":1,\"do\":\"status\"}"
#define START "{\"v\":1,\"do\":\"start\",\"command\":[\"agent\"]}"
#define NOBODY 65534

TestSuite(limits, .init = harness_set_up, .fini = harness_tear_down, .timeout = 60);

static void still_answers(void)
{
	json_t *reply = ask(STATUS);

	cr_assert(is_ok(reply));
	cr_assert_eq(json_integer_value(json_object_get(reply, "pid")), daemon_pid());
	json_decref(reply);
}

Test(limits, status_says_what_there_is)
{
	json_t *reply;

	daemon_start();
	reply = ask(STATUS);
	cr_assert_str_eq(string_of(reply, "attach"), "lsm");
	cr_assert_str_eq(string_of(reply, "policy_dir"), at("policy"));
	cr_assert_eq(json_array_size(json_object_get(reply, "hooks")), 2);
	cr_assert_not_null(json_object_get(json_object_get(reply, "counters"), "lost_path"));
}

Test(limits, a_bad_request_does_not_end_the_connection)
{
	int fd;

	daemon_start();
	fd = connect_daemon();
	send_text(fd, "nonsense\n\n{\"v\":9,\"do\":\"status\"}\n{\"v\":1,\"do\":\"fly\"}\n" STATUS
		      "\n");
	cr_assert_str_eq(error_of(read_reply(fd)), "bad_request");
	cr_assert_str_eq(error_of(read_reply(fd)), "bad_request");
	cr_assert_str_eq(error_of(read_reply(fd)), "version");
	cr_assert_str_eq(error_of(read_reply(fd)), "bad_request");
	cr_assert(is_ok(read_reply(fd)));
	close(fd);
}

Test(limits, an_answer_comes_after_the_last_word)
{
	int fd;

	daemon_start();
	fd = connect_daemon();
	send_text(fd, STATUS "\n" STATUS "\n");
	shutdown(fd, SHUT_WR);
	cr_assert(is_ok(read_reply(fd)));
	cr_assert(is_ok(read_reply(fd)));
	cr_assert_null(read_reply(fd));
	close(fd);
}

Test(limits, an_endless_request)
{
	static char part[1 << 20];
	int fd;
	size_t sent = 0;

	daemon_start();
	memset(part, 'x', sizeof(part));
	fd = connect_daemon();
	while (sent < 64u << 20) {
		ssize_t n = send(fd, part, sizeof(part), MSG_NOSIGNAL);

		if (n < 0)
			break;
		sent += n;
	}
	cr_assert_lt(sent, 64u << 20);
	cr_assert_str_eq(error_of(read_reply(fd)), "bad_request");
	close(fd);
	still_answers();
}

Test(limits, too_many_connections)
{
	int fds[64], fd;

	daemon_start();
	for (int i = 0; i < 64; i++) {
		fds[i] = connect_daemon();
		send_text(fds[i], STATUS "\n");
		cr_assert(is_ok(read_reply(fds[i])));
	}
	fd = connect_daemon();
	cr_assert_str_eq(error_of(read_reply(fd)), "no_space");
	cr_assert_null(read_reply(fd));
	close(fd);
	for (int i = 0; i < 64; i++)
		close(fds[i]);
	do /* until it has noticed */
		fd = connect_daemon();
	while (send_text(fd, STATUS "\n"), !is_ok(read_reply(fd)));
	close(fd);
}

/* Sends questions and never reads an answer. */
Test(limits, a_client_that_does_not_read)
{
	int fd;

	daemon_start();
	fd = connect_daemon();
	for (int i = 0; i < 100000; i++)
		if (send(fd, STATUS "\n", strlen(STATUS) + 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
			break;
	still_answers();
	close(fd);
	still_answers();
}

Test(limits, records_that_are_none)
{
	daemon_start();
	send_record(12345, 0, 1, "/x", GRITH_ALLOW); /* of no session */
	send_record(12345, 0, 1, "/x", 77);
	json_t *counters = json_object_get(ask("{\"v\":1,\"do\":\"list\"}"), "x");

	cr_assert_null(counters);
	counters = json_object_get(ask(STATUS), "counters");
	cr_assert_eq(json_integer_value(json_object_get(counters, "stray_records")), 1);
	cr_assert_eq(json_integer_value(json_object_get(counters, "bad_records")), 1);
}

/* Records that come faster than they are taken in keep nobody from being answered. */
Test(limits, a_flood_of_records)
{
	json_t *reply;
	uint64_t cgroup;
	pid_t agent, flood;

	daemon_start();
	agent = agent_start(NOBODY, START, &reply);
	cr_assert(is_ok(reply));
	cgroup = json_integer_value(
		json_object_get(session_state(string_of(reply, "session")), "cgroup"));
	flood = fork();
	if (!flood) {
		uint64_t i = 0;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		while (try_send_record(cgroup, i, agent, "/usr/lib/x", GRITH_ALLOW))
			i++;
		_exit(0);
	}
	for (int i = 0; i < 120; i++) {
		still_answers();
		cr_assert(is_ok(ask("{\"v\":1,\"do\":\"list\"}")));
	}
	kill(flood, SIGKILL);
	waitpid(flood, NULL, 0);
}

Test(limits, a_kernel_that_cannot_enforce)
{
	char *said;

	setenv("FAKE_KERNEL_MISSING", "1", 1);
	cr_assert_eq(daemon_fails(NULL), 2);
	said = read_file(at("err"));
	cr_assert_not_null(strstr(said, "no BTF"), "%s", said);
	cr_assert_not_null(strstr(said, "trampolines"), "%s", said);
	cr_assert_eq(daemon_fails("--check"), 2);
	unsetenv("FAKE_KERNEL_MISSING");
	cr_assert_eq(daemon_fails("--check"), 0);
	write_file(at("policy/broken.yaml"), "grith: 1\nfoo: 1\n");
	cr_assert_eq(daemon_fails("--check"), 1);
	said = read_file(at("err"));
	cr_assert_not_null(strstr(said, "broken.yaml:2"), "%s", said);
}

Test(limits, options_that_are_wrong)
{
	cr_assert_eq(daemon_fails("--no-such-option"), 2);
	cr_assert_eq(daemon_fails("argument"), 2);
	cr_assert_eq(daemon_fails("--attach=sideways"), 2);
	write_file(at("conf"), "socket = /x\ncolour = blue\n");
	char option[300];

	snprintf(option, sizeof(option), "--config=%s", at("conf"));
	cr_assert_eq(daemon_fails(option), 2);
	char *said = read_file(at("err"));

	cr_assert_not_null(strstr(said, "conf:2: unknown key"), "%s", said);
}

Test(limits, reload_and_stop)
{
	daemon_start();
	daemon_signal(SIGHUP);
	still_answers();
	daemon_signal(SIGTERM);
	cr_assert_eq(daemon_wait(), 0);
	cr_assert_eq(access(at("run/socket"), F_OK), -1);
}
