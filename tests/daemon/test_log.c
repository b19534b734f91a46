/* SPDX-License-Identifier: MPL-2.0 */
/* The audit log: complete, readable while it grows, honest about what is missing. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "harness.h"

#define START "{\"v\":1,\"do\":\"start\",\"command\":[\"agent\"]}"
#define NOBODY 65534

TestSuite(log, .init = harness_set_up, .fini = harness_tear_down, .timeout = 120);

static pid_t start(uint64_t *ret_cgroup)
{
	json_t *reply, *state;
	pid_t agent = agent_start(NOBODY, START, &reply);

	cr_assert(is_ok(reply));
	state = session_state(string_of(reply, "session"));
	*ret_cgroup = json_integer_value(json_object_get(state, "cgroup"));
	return agent;
}

static bool is_notice(json_t *line)
{
	return json_object_get(line, "damaged") || json_object_get(line, "current");
}

/* The next line that is no notice; NULL at the end of the connection. */
static json_t *read_answer(int fd)
{
	json_t *line;

	while ((line = read_reply(fd)) && is_notice(line))
		json_decref(line);
	return line;
}

/* Reads events until `end` or until there are `wanted`; -1 for no limit. */
static int read_events(int fd, int wanted, json_t **ret_last)
{
	int count = 0;

	while (count != wanted) {
		json_t *line = read_answer(fd), *event;

		cr_assert_not_null(line);
		if (json_object_get(line, "end"))
			break;
		event = json_object_get(line, "event");
		cr_assert_not_null(event);
		if (ret_last)
			*ret_last = json_incref(event);
		json_decref(line);
		count++;
	}
	return count;
}

static int query(const char *filter, json_t **ret_last)
{
	char request[256];
	int fd = connect_daemon(), count;
	json_t *reply;

	snprintf(request, sizeof(request), "{\"v\":1,\"do\":\"log\"%s}\n", filter);
	send_text(fd, request);
	reply = read_reply(fd);
	cr_assert(is_ok(reply), "%s", json_dumps(reply, 0));
	count = read_events(fd, -1, ret_last);
	close(fd);
	return count;
}

Test(log, an_operation_has_its_rule_and_reason)
{
	uint64_t cgroup;
	json_t *event;
	pid_t agent;

	daemon_start();
	agent = start(&cgroup);
	send_record(cgroup, 0, agent, "/usr/lib/x", GRITH_ALLOW);
	send_record(cgroup, 1, agent, "/etc/shadow", GRITH_DENY);
	cr_assert_eq(query("", NULL), 3);
	cr_assert_eq(query(",\"refused\":true", &event), 1);
	cr_assert_str_eq(string_of(event, "path"), "/etc/shadow");
	cr_assert_str_eq(string_of(event, "verdict"), "deny");
	cr_assert_str_eq(string_of(event, "rule"), "generic.yaml:6");
	cr_assert_str_eq(string_of(event, "reason"), "passwords");
	cr_assert_str_eq(string_of(event, "attach"), "lsm");
	cr_assert_not_null(strstr(string_of(event, "program"), "daemon-tests"));
}

Test(log, filters)
{
	uint64_t cgroup;
	json_t *event;
	pid_t agent;

	daemon_start();
	agent = start(&cgroup);
	for (int i = 0; i < 3000; i++) {
		char path[64];

		snprintf(path, sizeof(path), "/usr/%d/%s", i, i % 3 ? "a" : "b");
		send_record(cgroup, i, agent, path, i % 10 ? GRITH_ALLOW : GRITH_DENY);
	}
	cr_assert_eq(query("", NULL), 3001);
	cr_assert_eq(query(",\"last\":5", &event), 5);
	cr_assert_str_eq(string_of(event, "path"), "/usr/2999/a");
	cr_assert_eq(query(",\"last\":0", NULL), 0);
	cr_assert_eq(query(",\"path\":\"*/b\"", NULL), 1000);
	cr_assert_eq(query(",\"path\":\"*/b\",\"last\":999", &event), 999);
	cr_assert_str_eq(string_of(event, "path"), "/usr/2997/b");
	cr_assert_eq(query(",\"verdict\":\"deny\"", NULL), 300);
	cr_assert_eq(query(",\"op\":\"write\"", NULL), 0);
	cr_assert_eq(query(",\"session\":\"agent\",\"since\":1000", NULL), 3001);
	cr_assert_eq(query(",\"since\":0", NULL), 0);
	cr_assert_eq(query(",\"last\":100000", NULL), 3001);
	cr_assert_eq(query(",\"until\":1000", NULL), 0);
	cr_assert_eq(query(",\"until\":\"2500-01-01T00:00:00.000000000Z\"", NULL), 3001);
	cr_assert_eq(query(",\"since\":\"2500-01-01T00:00:00.000000000Z\"", NULL), 0);
	cr_assert_eq(query(",\"rule\":\"generic.yaml:*\",\"path\":\"*/b\"", NULL), 100);
	cr_assert_eq(query(",\"rule\":\"other.yaml:*\"", NULL), 0);
	cr_assert_eq(query(",\"score\":5.0", NULL), 0);
	cr_assert_eq(query(",\"score\":0", NULL), 3000);
	cr_assert_eq(query(",\"reverse\":true,\"path\":\"*/b\"", &event), 1000);
	cr_assert_str_eq(string_of(event, "path"), "/usr/0/b");
	cr_assert_eq(query(",\"reverse\":true,\"last\":10", &event), 10);
	cr_assert_str_eq(string_of(event, "path"), "/usr/2990/a");
}

/* A slow follower, old entries and new ones, and a flood: each comes once, in order. */
Test(log, following_loses_nothing_and_doubles_nothing)
{
	enum { OLD = 2000, NEW = 20000 };
	uint64_t cgroup;
	pid_t agent;
	int fd;

	daemon_start();
	agent = start(&cgroup);
	for (int i = 0; i < OLD; i++)
		send_record(cgroup, i, agent, "/usr/lib/old", GRITH_ALLOW);
	fd = connect_daemon();
	send_text(fd, "{\"v\":1,\"do\":\"log\",\"op\":\"read\",\"follow\":true}\n");
	cr_assert(is_ok(read_reply(fd)));
	for (int i = OLD; i < OLD + NEW; i++) /* nobody reads meanwhile */
		send_record(cgroup, i, agent, "/usr/lib/new", GRITH_ALLOW);
	for (int i = 0; i < OLD + NEW; i++) {
		json_t *line = read_answer(fd);
		json_t *event = json_object_get(line, "event");

		cr_assert_eq(json_integer_value(json_object_get(event, "seq")), i);
		json_decref(line);
	}
	send_record(cgroup, OLD + NEW, agent, "/usr/lib/last", GRITH_ALLOW);
	cr_assert_eq(read_events(fd, 1, NULL), 1);
	cr_assert(has_true(read_reply(fd), "current"), "nothing is behind it");
	close(fd);
}

Test(log, what_is_missing_is_said)
{
	uint64_t cgroup;
	json_t *event;
	pid_t agent;
	int fd;

	daemon_start();
	agent = start(&cgroup);
	fd = connect_daemon();
	send_text(fd, "{\"v\":1,\"do\":\"log\",\"follow\":true,\"last\":0}\n");
	cr_assert(is_ok(read_reply(fd)));
	send_record(cgroup, 0, agent, "/usr/a", GRITH_ALLOW);
	send_record(cgroup, 5, agent, "/usr/b", GRITH_ALLOW);
	cr_assert_eq(read_events(fd, 3, &event), 3);
	cr_assert_str_eq(string_of(event, "kind"), "gap");
	cr_assert_eq(json_integer_value(json_object_get(event, "lost")), 4);
	close(fd);
}

Test(log, others_see_nothing_of_it)
{
	uint64_t cgroup;
	json_t *reply;
	pid_t agent, other;

	daemon_start();
	agent = start(&cgroup);
	send_record(cgroup, 0, agent, "/etc/shadow", GRITH_DENY);
	other = agent_start(65533,
			    "{\"v\":1,\"do\":\"start\",\"command\":[\"x\"],\"profile\":\"none\"}",
			    &reply);
	reply = agent_ask(other, false, "{\"v\":1,\"do\":\"log\"}");
	cr_assert(is_ok(reply));
	/* the line after the first is the end: "status" has no answer before */
	reply = agent_ask(other, false, "{\"v\":1,\"do\":\"status\"}");
	cr_assert(has_true(reply, "end"));
}

Test(log, a_torn_line_is_cut_off_and_said)
{
	json_t *event;

	mkdir(at("log"), 0700);
	write_file(at("log/audit.jsonl"), "{\"v\":1,\"whole\":1}\n{\"v\":1,\"time\":\"20");
	chmod(at("log/audit.jsonl"), 0600);
	daemon_start();
	/* and another one says that grithd did not know where this log ended */
	cr_assert_eq(query("", &event), 2);
	cr_assert_str_eq(string_of(event, "kind"), "gap");
}

Test(log, grithd_refuses_to_start_without)
{
	char *said;

	write_file(at("log"), "no directory");
	cr_assert_eq(daemon_fails(NULL), 1);
	said = read_file(at("err"));
	cr_assert_not_null(strstr(said, "cannot write the audit log"), "%s", said);
	unlink(at("log"));
	mkdir(at("log"), 0700);
	cr_assert_eq(chown(at("log"), NOBODY, NOBODY), 0);
	cr_assert_eq(daemon_fails(NULL), 1);
	cr_assert_eq(access(at("run/socket"), F_OK), -1);
}

/* What is not a line is left out, and those who read are told. */
Test(log, damage_is_said)
{
	static const char junk[] = "no line\n";
	json_t *line;
	int fd, log;

	daemon_start();
	log = open(at("log/audit.jsonl"), O_WRONLY | O_APPEND);
	cr_assert_eq(write(log, junk, sizeof(junk) - 1), (ssize_t)sizeof(junk) - 1);
	close(log);
	fd = connect_daemon();
	send_text(fd, "{\"v\":1,\"do\":\"log\"}\n");
	cr_assert(is_ok(read_reply(fd)));
	do
		line = read_reply(fd);
	while (json_object_get(line, "event"));
	cr_assert_eq(json_integer_value(json_object_get(line, "damaged")), 1);
	cr_assert(has_true(read_reply(fd), "end"));
	close(fd);
}

/* Enforcement, and grithd, go on; what was lost is in the log once there is room. */
Test(log, a_full_disk)
{
	enum { COUNT = 60000 }; /* more than the disk and the memory for it hold */
	uint64_t cgroup, lost = 0, lines = 0;
	char *log, *next;
	pid_t agent;

	mkdir(at("log"), 0700);
	if (mount("none", at("log"), "tmpfs", 0, "size=1m,mode=700") < 0)
		cr_skip_test("cannot mount a tmpfs");
	daemon_start();
	agent = start(&cgroup);
	for (int i = 0; i < COUNT; i++)
		send_record(cgroup, i, agent, "/usr/lib/full", GRITH_ALLOW);
	cr_assert(is_ok(ask("{\"v\":1,\"do\":\"list\"}")));
	cr_assert_eq(mount(NULL, at("log"), NULL, MS_REMOUNT, "size=64m"), 0);
	send_record(cgroup, COUNT, agent, "/usr/lib/room", GRITH_ALLOW);
	ask("{\"v\":1,\"do\":\"list\"}");
	ask("{\"v\":1,\"do\":\"list\"}");

	log = next = read_file(at("log/audit.jsonl"));
	for (char *line; (line = strsep(&next, "\n"));) {
		json_t *event = *line ? json_loads(line, 0, NULL) : NULL;

		cr_assert(event || !*line, "a broken line: %s", line);
		lines += event && !strcmp(string_of(event, "kind"), "file");
		lost += json_integer_value(json_object_get(event, "lost"));
		json_decref(event);
	}
	free(log);
	cr_assert_gt(lost, 0);
	cr_assert_eq(lines + lost, COUNT + 1);
}

/* The sum of what gaps say of the session. */
static uint64_t lost_in_log(void)
{
	char *log = read_file(at("log/audit.jsonl")), *rest = log, *line;
	uint64_t lost = 0;

	while ((line = strsep(&rest, "\n"))) {
		json_t *event = json_loads(line, 0, NULL);

		lost += json_integer_value(json_object_get(event, "lost"));
		json_decref(event);
	}
	free(log);
	return lost;
}

static void restart(void)
{
	daemon_signal(SIGKILL);
	daemon_wait();
	daemon_start();
}

/* However often grithd is killed before it could say that a record is missing: said once. */
Test(log, many_restarts_hide_no_loss)
{
	uint64_t cgroup;
	pid_t agent;
	json_t *list;

	daemon_start();
	agent = start(&cgroup);
	list = ask("{\"v\":1,\"do\":\"list\"}");
	for (int i = 0; i < 10; i++)
		if (i != 4 && i != 5)
			send_record(cgroup, i, agent, "/usr/first", GRITH_ALLOW);
	cr_assert_eq(query(",\"op\":\"read\"", NULL), 8);
	restart();
	send_record(cgroup, 11, agent, "/usr/second", GRITH_ALLOW);
	send_record(cgroup, 10, agent, "/usr/second", GRITH_ALLOW); /* late */
	cr_assert_eq(query(",\"op\":\"read\"", NULL), 10);
	restart();
	send_record(cgroup, 15, agent, "/usr/third", GRITH_ALLOW);
	cr_assert_eq(query(",\"op\":\"read\"", NULL), 11);
	for (int i = 0; i < 600 && lost_in_log() < 5; i++)
		usleep(100000);
	cr_assert_eq(lost_in_log(), 5);
	restart();
	send_record(cgroup, 17, agent, "/usr/fourth", GRITH_ALLOW);
	agent_leave(agent);
	kill(agent_child(agent), SIGKILL);
	wait_for_end(string_of(json_array_get(json_object_get(list, "sessions"), 0), "id"));
	cr_assert_eq(query(",\"op\":\"read\"", NULL), 12);
	cr_assert_eq(lost_in_log(), 6);
}

/* What was made while no grithd ran, and did not fit, is missed when the next one starts. */
Test(log, a_restart_hides_no_loss)
{
	json_t *list;
	uint64_t cgroup;
	char *log;
	pid_t agent;

	daemon_start();
	agent = start(&cgroup);
	for (int i = 0; i < 10; i++)
		send_record(cgroup, i, agent, "/usr/before", GRITH_ALLOW);
	cr_assert_eq(query(",\"op\":\"read\"", NULL), 10);
	daemon_signal(SIGKILL);
	daemon_wait();
	daemon_start();
	send_record(cgroup, 10, agent, "/usr/next", GRITH_ALLOW);
	send_record(cgroup, 18, agent, "/usr/later", GRITH_ALLOW);
	list = ask("{\"v\":1,\"do\":\"list\"}");
	agent_leave(agent);
	kill(agent_child(agent), SIGKILL);
	wait_for_end(string_of(json_array_get(json_object_get(list, "sessions"), 0), "id"));
	cr_assert_eq(query(",\"op\":\"read\"", NULL), 12);
	log = read_file(at("log/audit.jsonl"));
	cr_assert_not_null(strstr(log, "\"kind\":\"gap\",\"next\":19,\"lost\":7,"), "%s", log);
	free(log);
}
