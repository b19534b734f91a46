/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Policies are compiled beside the event loop: what the process that does it has, what happens when
 * it ends early, whose turn it is, and what is kept. One that must not end yet is stopped.
 */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "lib/base/base.h"
#include "harness.h"

#define STATUS "{\"v\":1,\"do\":\"status\"}"
#define LIST "{\"v\":1,\"do\":\"list\"}"
#define START "{\"v\":1,\"do\":\"start\",\"command\":[\"agent\"]}"
/* Seconds of processor time, so that it can be stopped in them; 200 bytes of text. */
#define WORST                                                                                    \
	"{\"v\":1,\"do\":\"start\",\"command\":[\"agent\"],\"policy\":{\"name\":\"worst.yaml\"," \
	"\"text\":\"grith: 1\\nfiles:\\n  - {deny: read, path: \\\"**/*a"                        \
	"????????????????????????????????\\\"}\\n\"}}"
#define NOBODY 65534
#define SOMEBODY 65533
#define WAITING 8 /* COMPILES_WAITING_PER_USER */
#define CLIENTS 16

TestSuite(policies, .init = harness_set_up, .fini = harness_tear_down, .timeout = 120);

static json_int_t counter(const char *name)
{
	json_t *reply = ask(STATUS);
	json_int_t value =
		json_integer_value(json_object_get(json_object_get(reply, "policies"), name));

	cr_assert(is_ok(reply));
	json_decref(reply);
	return value;
}

/* The value of a line of /proc/PID/status. */
static char *status_of(const char *status, const char *name)
{
	OWNED_MEM char *wanted = text_format("\n%s:", name);
	const char *line = strstr(status, wanted);

	cr_assert_not_null(line, "%s", name);
	line += strlen(wanted);
	return strndup(line, strcspn(line + 1, "\n") + 1);
}

/* Whether it has given up its rights, and waits for nothing of grithd's any more. */
static bool is_at_work(pid_t pid)
{
	OWNED_MEM char *path = text_format("/proc/%d/status", pid);
	OWNED_MEM char *status = read_file(path);
	OWNED_MEM char *seccomp = status_of(status, "Seccomp");

	return strcmp(seccomp, "\t2") == 0;
}

/* The process that grithd has started, stopped. */
static pid_t stop_compiler(void)
{
	OWNED_MEM char *path = text_format("/proc/%d/task/%d/children", daemon_pid(), daemon_pid());
	long pid = 0;

	while (!pid || !is_at_work(pid)) {
		OWNED_MEM char *children = read_file(path);

		pid = strtol(children, NULL, 10);
		poll(NULL, 0, 1); /* until grithd has come so far */
	}
	cr_assert_eq(kill(pid, SIGSTOP), 0);
	return pid;
}

static bool is_answered(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 0) == 1;
}

static void expect_complaint(json_t *reply, const char *what)
{
	json_t *details = json_object_get(json_object_get(reply, "error"), "details");
	const char *first = json_string_value(json_array_get(details, 0));

	cr_assert_str_eq(error_of(reply), "policy");
	cr_assert(first && strstr(first, what), "%s", first);
}

Test(policies, a_compiler_that_is_killed_is_a_refusal)
{
	int fd;
	json_t *reply;
	pid_t compiler;

	daemon_start();
	fd = connect_daemon();
	send_text(fd, WORST "\n");
	compiler = stop_compiler();
	cr_assert(is_ok(ask(LIST)));
	cr_assert_not(is_answered(fd));
	kill(compiler, SIGKILL);
	expect_complaint(read_reply(fd), "ended by signal 9");
	close(fd);
	agent_start(NOBODY, START, &reply);
	cr_assert(is_ok(reply));
}

static size_t count_files(const char *path)
{
	OWNED_DIR DIR *dir = opendir(path);
	size_t count = 0;

	cr_assert_not_null(dir);
	for (struct dirent *entry; (entry = readdir(dir));)
		count += entry->d_name[0] != '.';
	return count;
}

Test(policies, the_compiler_has_no_rights)
{
	OWNED_MEM char *path = NULL;
	OWNED_MEM char *status = NULL;
	OWNED_MEM char *files = NULL;
	int fd;
	pid_t compiler;

	daemon_start();
	fd = connect_daemon();
	send_text(fd, WORST "\n");
	compiler = stop_compiler();
	path = text_format("/proc/%d/status", compiler);
	status = read_file(path);
	cr_expect_str_eq(status_of(status, "Uid"), "\t65534\t65534\t65534\t65534");
	cr_expect_str_eq(status_of(status, "Gid"), "\t65534\t65534\t65534\t65534");
	cr_expect_str_eq(status_of(status, "Groups"), "\t ");
	cr_expect_str_eq(status_of(status, "CapEff"), "\t0000000000000000");
	cr_expect_str_eq(status_of(status, "NoNewPrivs"), "\t1");
	files = text_format("/proc/%d/fd", compiler);
	cr_expect_eq(count_files(files), 3, "input, result and nowhere for messages");
	close(fd); /* nobody waits for it any more: it is killed */
	while (kill(compiler, 0) == 0)
		poll(NULL, 0, 1);
}

Test(policies, all_others_go_on_while_one_user_sends_the_worst)
{
	size_t refused = 0, waiting = 0;
	int fds[CLIENTS];
	json_t *reply;
	pid_t compiler;

	daemon_start();
	fds[0] = connect_daemon();
	send_text(fds[0], WORST "\n");
	compiler = stop_compiler();
	for (size_t i = 1; i < CLIENTS; i++) {
		fds[i] = connect_daemon();
		send_text(fds[i], WORST "\n");
	}
	/* Connections are served in any order; an answer to the last word of each shows its end. */
	while (refused < CLIENTS - 1 - WAITING)
		for (size_t i = 1; i < CLIENTS; i++) {
			if (fds[i] < 0 || !is_answered(fds[i]))
				continue;
			cr_assert_str_eq(error_of(read_reply(fds[i])), "no_space");
			close(fds[i]);
			fds[i] = -1;
			refused++;
		}
	cr_expect_eq(counter("compiled"), 1);
	/* Another user's session starts, and can be seen. */
	agent_start(SOMEBODY, START, &reply);
	cr_assert(is_ok(reply));
	reply = ask(LIST);
	cr_assert_eq(json_array_size(json_object_get(reply, "sessions")), 1);
	for (size_t i = 0; i < CLIENTS; i++)
		waiting += fds[i] >= 0 && !is_answered(fds[i]);
	cr_expect_eq(waiting, WAITING + 1);
	cr_expect_eq(counter("compiled"), 2);
	/* The one behind has its turn when the first has ended. */
	kill(compiler, SIGKILL);
	expect_complaint(read_reply(fds[0]), "ended by signal 9");
	kill(stop_compiler(), SIGKILL);
	cr_expect_geq(counter("compiled"), 3);
}

Test(policies, a_policy_is_compiled_once)
{
	json_t *reply;

	daemon_start();
	agent_start(NOBODY, START, &reply);
	cr_assert(is_ok(reply));
	cr_expect_eq(counter("compiled"), 1);
	cr_expect_eq(counter("reused"), 0);
	agent_start(NOBODY, START, &reply);
	cr_assert(is_ok(reply));
	cr_assert_str_eq(string_of(reply, "profile"), "generic");
	cr_expect_eq(counter("compiled"), 1);
	cr_expect_eq(counter("reused"), 1);
	reply = session_state(string_of(reply, "session"));
	cr_expect_eq(json_array_size(json_object_get(reply, "rules")), 3);
	cr_expect_eq(json_array_size(json_object_get(reply, "files")), 2);

	/* Kept for the next grithd, too. */
	daemon_signal(SIGTERM);
	cr_assert_eq(daemon_wait(), 0);
	daemon_start();
	agent_start(NOBODY, START, &reply);
	cr_assert(is_ok(reply));
	cr_expect_eq(counter("compiled"), 0);
	cr_expect_eq(counter("reused"), 1);

	/* Not for others, and not when anything of it has changed. */
	agent_start(SOMEBODY, START, &reply);
	cr_assert(is_ok(reply));
	cr_expect_eq(counter("compiled"), 1);
	write_file(at("policy/base.yaml"), "grith: 1\nname: base\nfiles:\n"
					   "  - {allow: read, path: \"/usr/**\"}\n");
	agent_start(NOBODY, START, &reply);
	cr_assert(is_ok(reply));
	cr_expect_eq(counter("compiled"), 2);
}

/* The only file of a directory. */
static const char *only_file(const char *directory)
{
	static char path[512];
	DIR *dir = opendir(at(directory));
	size_t count = 0;

	cr_assert_not_null(dir);
	for (struct dirent *entry; (entry = readdir(dir));) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", at(directory), entry->d_name);
		count++;
	}
	closedir(dir);
	cr_assert_eq(count, 1);
	return path;
}

Test(policies, one_that_was_kept_and_is_damaged_is_compiled_anew)
{
	OWNED_MEM char *messages = NULL;
	struct stat st;
	json_t *reply;
	FILE *file;

	daemon_start();
	agent_start(NOBODY, START, &reply);
	cr_assert(is_ok(reply));
	cr_assert_eq(stat(only_file("state/policies"), &st), 0);
	cr_expect_eq(st.st_mode & 07777, 0600);
	file = fopen(only_file("state/policies"), "r+e");
	cr_assert_not_null(file);
	cr_assert_eq(fseek(file, st.st_size / 2, SEEK_SET), 0);
	cr_assert_neq(fputs("damage", file), EOF);
	cr_assert_eq(fclose(file), 0);
	agent_start(NOBODY, START, &reply);
	cr_assert(is_ok(reply));
	cr_expect_eq(counter("compiled"), 2);
	cr_expect_eq(counter("reused"), 0);
	cr_expect_eq(counter("damaged"), 1);
	messages = read_file(at("err"));
	cr_expect_not_null(strstr(messages, "is damaged"));
	/* And the new one is good. */
	agent_start(NOBODY, START, &reply);
	cr_expect_eq(counter("compiled"), 2);
	cr_expect_eq(counter("reused"), 1);
}
