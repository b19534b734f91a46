/* SPDX-License-Identifier: MPL-2.0 */
/* Sessions from their start to their end, across restarts, and who may do what with them. */
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "lib/base/base.h"
#include "harness.h"

#define START "{\"v\":1,\"do\":\"start\",\"command\":[\"agent\",\"--now\"]}"
#define LIST "{\"v\":1,\"do\":\"list\"}"
#define NOBODY 65534
#define SOMEBODY 65533

TestSuite(sessions, .init = harness_set_up, .fini = harness_tear_down, .timeout = 60);

static size_t count_of(json_t *reply)
{
	return json_array_size(json_object_get(reply, "sessions"));
}

static const char *id_of(json_t *reply)
{
	cr_assert(is_ok(reply), "%s", json_dumps(reply, 0));
	return string_of(reply, "session");
}

static json_t *change(const char *what, const char *session)
{
	char request[128];

	snprintf(request, sizeof(request), "{\"v\":1,\"do\":\"%s\",\"session\":\"%s\"}", what,
		 session);
	return ask(request);
}

/* Whether a line of the audit log has both parts. */
static bool logged(const char *part, const char *other)
{
	char *log = read_file(at("log/audit.jsonl")), *next = log;
	bool found = false;

	for (char *line; (line = strsep(&next, "\n"));)
		found |= strstr(line, part) && strstr(line, other);
	free(log);
	return found;
}

Test(sessions, the_asker_is_placed_and_listed)
{
	json_t *reply, *list, *session;
	char *cgroup;
	pid_t agent;

	daemon_start();
	agent = agent_start(NOBODY, START, &reply);
	cr_assert_str_eq(string_of(reply, "profile"), "generic");
	cr_assert_str_eq(string_of(reply, "mode"), "enforce");
	cr_assert_eq(cgroup_of(agent, &cgroup), 0);
	cr_assert_not_null(strstr(cgroup, id_of(reply)));
	cr_assert_eq(cgroup_of(agent_child(agent), &cgroup), 0);
	cr_assert_not_null(strstr(cgroup, id_of(reply)));

	list = ask(LIST);
	cr_assert_eq(count_of(list), 1);
	session = json_array_get(json_object_get(list, "sessions"), 0);
	cr_assert_str_eq(string_of(session, "id"), id_of(reply));
	cr_assert_str_eq(string_of(session, "name"), "agent");
	cr_assert_str_eq(string_of(session, "state"), "running");
	cr_assert_str_eq(string_of(session, "project"), at("project"));
	cr_assert_eq(json_integer_value(json_object_get(session, "uid")), NOBODY);
	cr_assert_eq(json_array_size(json_object_get(session, "processes")), 2);
	cr_assert(logged("\"op\":\"start\"", id_of(reply)));
}

Test(sessions, it_lives_until_its_last_process_has_ended)
{
	json_t *reply;
	pid_t agent;

	daemon_start();
	agent = agent_start(NOBODY, START, &reply);
	agent_leave(agent);
	cr_assert_eq(count_of(ask(LIST)), 1);
	kill(agent_child(agent), SIGKILL);
	wait_for_end(id_of(reply));
	cr_assert_eq(count_of(ask(LIST)), 0);
	cr_assert(logged("\"op\":\"end\"", id_of(reply)));
}

Test(sessions, kill_freeze_thaw)
{
	json_t *reply, *list;

	daemon_start();
	agent_start(NOBODY, START, &reply);
	cr_assert(is_ok(change("freeze", "agent")));
	list = ask(LIST);
	cr_assert_str_eq(string_of(json_array_get(json_object_get(list, "sessions"), 0), "state"),
			 "frozen");
	cr_assert(is_ok(change("thaw", id_of(reply))));
	cr_assert(is_ok(change("kill", "agent")));
	wait_for_end(id_of(reply));
	cr_assert(logged("\"op\":\"kill\"", id_of(reply)));
	cr_assert_str_eq(error_of(change("kill", "agent")), "not_found");
}

Test(sessions, a_supervised_process_may_nothing)
{
	json_t *reply;
	pid_t agent;

	daemon_start();
	agent = agent_start(0, START, &reply); /* not even root's */
	cr_assert(is_ok(reply));
	cr_assert_str_eq(error_of(agent_ask(agent, true, LIST)), "denied");
	cr_assert_str_eq(error_of(agent_ask(agent, true, START)), "denied");
	cr_assert_str_eq(error_of(agent_ask(agent, true, "{\"v\":1,\"do\":\"log\"}")), "denied");
	cr_assert(has_true(agent_ask(agent, false, LIST), "closed"));
}

Test(sessions, users_have_their_own)
{
	json_t *mine, *other, *reply;
	pid_t requester;
	char request[128];

	daemon_start();
	agent_start(NOBODY, START, &mine);
	agent_start(SOMEBODY, START, &other);
	cr_assert_eq(count_of(ask(LIST)), 2);
	/* asks for a broken policy, so it is not supervised and may ask on */
	requester = agent_start(
		SOMEBODY, "{\"v\":1,\"do\":\"start\",\"command\":[\"x\"],\"profile\":\"none\"}",
		&reply);
	cr_assert_str_eq(error_of(reply), "policy");
	reply = agent_ask(requester, true, LIST);
	cr_assert_eq(count_of(reply), 1);
	snprintf(request, sizeof(request), "{\"v\":1,\"do\":\"kill\",\"session\":\"%s\"}",
		 id_of(mine));
	cr_assert_str_eq(error_of(agent_ask(requester, false, request)), "not_found");
	snprintf(request, sizeof(request), "{\"v\":1,\"do\":\"log\",\"session\":\"%s\"}",
		 id_of(mine));
	cr_assert_str_eq(error_of(agent_ask(requester, false, request)), "not_found");
	snprintf(request, sizeof(request), "{\"v\":1,\"do\":\"kill\",\"session\":\"%s\"}",
		 id_of(other));
	cr_assert(is_ok(agent_ask(requester, false, request)));
	wait_for_end(id_of(other));
}

Test(sessions, a_policy_with_errors_changes_nothing)
{
	json_t *reply;
	char *cgroup;
	pid_t agent;

	daemon_start();
	agent = agent_start(
		NOBODY,
		"{\"v\":1,\"do\":\"start\",\"command\":[\"x\"],\"policy\":{\"name\":\"my.yaml\","
		"\"text\":\"grith: 1\\nname: x\\nfoo: 1\\nfiles:\\n  - {allow: reed}\\n\"}}",
		&reply);
	cr_assert_str_eq(error_of(reply), "policy");
	cr_assert_geq(json_array_size(json_object_get(json_object_get(reply, "error"), "details")),
		      2);
	cr_assert_eq(cgroup_of(agent, &cgroup), 0);
	cr_assert_null(strstr(cgroup, "grith-test"));
	cr_assert_eq(count_of(ask(LIST)), 0);
}

Test(sessions, names)
{
	json_t *reply;

	daemon_start();
	agent_start(NOBODY, START, &reply);
	agent_start(NOBODY, START, &reply);
	cr_assert_str_eq(string_of(reply, "name"), "agent-2");
	agent_start(NOBODY, "{\"v\":1,\"do\":\"start\",\"command\":[\"x\"],\"name\":\"agent\"}",
		    &reply);
	cr_assert_str_eq(error_of(reply), "bad_request");
	agent_start(NOBODY,
		    "{\"v\":1,\"do\":\"start\",\"command\":[\"x\"],\"name\":\"blue\","
		    "\"observe\":true}",
		    &reply);
	cr_assert_str_eq(string_of(reply, "name"), "blue");
	cr_assert_str_eq(string_of(reply, "mode"), "observe");
}

Test(sessions, they_outlive_grithd)
{
	json_t *reply, *list;
	pid_t agent;

	daemon_start();
	agent = agent_start(NOBODY, START, &reply);
	daemon_signal(SIGKILL);
	cr_assert_eq(daemon_wait(), 128 + SIGKILL);
	cr_assert_eq(kill(agent, 0), 0);

	daemon_start();
	list = ask(LIST);
	cr_assert_eq(count_of(list), 1);
	cr_assert_str_eq(string_of(json_array_get(json_object_get(list, "sessions"), 0), "id"),
			 id_of(reply));
	cr_assert(logged("\"op\":\"adopted\"", id_of(reply)));
	cr_assert_str_eq(error_of(agent_ask(agent, true, LIST)), "denied");
	cr_assert(is_ok(change("kill", id_of(reply))));
	wait_for_end(id_of(reply));
}

Test(sessions, the_end_is_noticed_later_too)
{
	json_t *reply;
	pid_t agent;

	daemon_start();
	agent = agent_start(NOBODY, START, &reply);
	daemon_signal(SIGTERM);
	cr_assert_eq(daemon_wait(), 0);
	agent_kill_child(agent);
	agent_leave(agent);
	daemon_start();
	cr_assert_eq(count_of(ask(LIST)), 0);
	cr_assert(logged("\"op\":\"end\"", id_of(reply)));
}

Test(sessions, without_its_state_file_it_goes_on)
{
	json_t *reply, *list;
	char name[64];

	daemon_start();
	agent_start(NOBODY, START, &reply);
	daemon_signal(SIGKILL);
	daemon_wait();
	snprintf(name, sizeof(name), "state/sessions/%s.json", id_of(reply));
	write_file(at(name), "{\"torn");
	daemon_start();
	list = ask(LIST);
	cr_assert_eq(count_of(list), 1);
	cr_assert_str_eq(string_of(json_array_get(json_object_get(list, "sessions"), 0), "name"),
			 id_of(reply));
}

Test(sessions, what_the_kernel_forgot_is_killed)
{
	json_t *reply;
	pid_t agent;

	daemon_start();
	agent = agent_start(NOBODY, START, &reply);
	daemon_signal(SIGKILL);
	daemon_wait();
	cr_assert_eq(unlink(at("bpf/sessions")), 0);
	daemon_start();
	cr_assert_eq(count_of(ask(LIST)), 0);
	cr_assert(logged("\"op\":\"end\"", "killed"));
	cr_assert_eq(waitpid(agent, NULL, 0), agent);
}

Test(sessions, one_grithd_at_a_time)
{
	char *said;

	daemon_start();
	cr_assert_eq(daemon_fails(NULL), 1);
	said = read_file(at("err"));
	cr_assert_not_null(strstr(said, "another grithd is running"));
	cr_assert_eq(daemon_fails("--unload"), 1);
	cr_assert(is_ok(ask("{\"v\":1,\"do\":\"status\"}")));
}

Test(sessions, host_names_are_looked_up)
{
	json_t *reply, *notes;

	daemon_start();
	agent_start(
		NOBODY,
		"{\"v\":1,\"do\":\"start\",\"command\":[\"x\"],\"policy\":{\"name\":\"my.yaml\","
		"\"text\":\"grith: 1\\nname: x\\nnetwork:\\n  - {allow: connect, "
		"host: [localhost, none.invalid, \\\"*.invalid\\\"]}\\n\"}}",
		&reply);
	cr_assert(is_ok(reply), "%s", json_dumps(reply, 0));
	notes = json_object_get(reply, "notes");
	cr_assert_geq(json_array_size(notes), 1);
	for (size_t i = 0; i < json_array_size(notes); i++)
		cr_assert_null(strstr(json_string_value(json_array_get(notes, i)), "localhost"));
}

/* Asks, and is gone at any moment from then on: nothing of it stays. */
Test(sessions, an_asker_that_dies)
{
	daemon_start();
	for (int i = 0; i < 100; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			int fd;

			if (chdir(at("project")) < 0)
				_exit(1);
			fd = connect_daemon();
			send_text(fd, START "\n");
			if (i % 3)
				usleep(i * 20); /* where it dies is the point, not the time */
			_exit(0);
		}
		cr_assert_eq(waitpid(pid, NULL, 0), pid);
	}
	while (count_of(ask(LIST))) /* those that were placed are ending */
		poll(NULL, 0, 1);
	cr_assert_eq(rmdir(at("state/sessions")), 0, "a state file stayed");
	daemon_signal(SIGTERM);
	cr_assert_eq(daemon_wait(), 0);
}
