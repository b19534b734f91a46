/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Standing in for a command without a terminal: exit statuses and signals.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "grith/exec/exec.h"
#include "lib/base/base.h"
#include "signals_fixture.h"

/*
 * Runs a shell script under the relay, in a process of its own, as `grith exec` does, and away from
 * any terminal. The script's output can be read from *ret_output.
 */
static pid_t start_relay(const char *script, int *ret_output)
{
	int ends[2];
	pid_t parent;

	cr_assert_eq(pipe(ends), 0);
	parent = fork();
	cr_assert_geq(parent, 0);
	if (parent == 0) {
		struct relay relay;
		pid_t child;

		setsid();
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		relay_prepare(&relay);
		child = fork();
		if (child == 0) {
			relay_restore(&relay);
			execl("/bin/sh", "sh", "-c", script, NULL);
			_exit(127);
		}
		close(STDOUT_FILENO);
		_exit(relay_run(&relay, child));
	}
	close(ends[1]);
	*ret_output = ends[0];
	return parent;
}

static void expect_output(int fd, const char *expected)
{
	char bytes[64] = "";
	size_t length = 0;
	ssize_t n;

	while (length < strlen(expected) &&
	       (n = read(fd, bytes + length, strlen(expected) - length)) > 0)
		length += n;
	cr_expect_str_eq(bytes, expected);
}

static int status_of(pid_t parent)
{
	int status;

	cr_assert_eq(waitpid(parent, &status, 0), parent);
	cr_assert(WIFEXITED(status), "the stand-in itself was ended by a signal");
	return WEXITSTATUS(status);
}

static int run_script(const char *script)
{
	int output;
	pid_t parent = start_relay(script, &output);
	int status = status_of(parent);

	close(output);
	return status;
}

TestSuite(cli_relay, .init = heed_signals, .timeout = 60);

Test(cli_relay, statuses)
{
	cr_expect_eq(run_script("exit 0"), 0);
	cr_expect_eq(run_script("exit 7"), 7);
	cr_expect_eq(run_script("exit 255"), 255);
	cr_expect_eq(run_script("kill -TERM $$"), 128 + SIGTERM);
	cr_expect_eq(run_script("kill -KILL $$"), 128 + SIGKILL);
	cr_expect_eq(run_script("ulimit -c 0; kill -SEGV $$"), 128 + SIGSEGV);
}

/* The caller may ignore SIGCHLD; the child's status must not be lost by that. */
Test(cli_relay, caller_ignores_children)
{
	signal(SIGCHLD, SIG_IGN);
	int output;
	pid_t parent = start_relay("exit 9", &output);

	signal(SIGCHLD, SIG_DFL);
	cr_expect_eq(status_of(parent), 9);
	close(output);
}

Test(cli_relay, signals_are_passed_on)
{
	static const struct {
		int number;
		const char *name;
	} signals[] = {
		{ SIGTERM, "TERM" },   { SIGHUP, "HUP" },   { SIGINT, "INT" },
		{ SIGQUIT, "QUIT" },   { SIGUSR1, "USR1" }, { SIGUSR2, "USR2" },
		{ SIGWINCH, "WINCH" }, { SIGCONT, "CONT" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		OWNED_TEXT struct text script = { 0 };
		int output;
		pid_t parent;

		text_addf(&script,
			  "trap 'echo got; exit 42' %s; echo up; while :; do sleep 0.02; done",
			  signals[i].name);
		parent = start_relay(script.data, &output);
		expect_output(output, "up\n");
		kill(parent, signals[i].number);
		expect_output(output, "got\n");
		cr_expect_eq(status_of(parent), 42, "%s", signals[i].name);
		close(output);
	}
}

Test(cli_relay, signals_end_the_command)
{
	static const int signals[] = { SIGTERM, SIGHUP, SIGINT, SIGUSR1 };

	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		int output;
		pid_t parent = start_relay("echo up; exec sleep 60", &output);

		expect_output(output, "up\n");
		kill(parent, signals[i]);
		cr_expect_eq(status_of(parent), 128 + signals[i]);
		close(output);
	}
}

/* Ignored by the caller, as under nohup: ignored by the command, and survived by both. */
Test(cli_relay, ignored_signals_stay_ignored)
{
	int output;
	pid_t parent;

	signal(SIGHUP, SIG_IGN);
	parent = start_relay("echo up; kill -HUP $PPID; kill -HUP $$; echo on; exit 3", &output);
	expect_output(output, "up\non\n");
	cr_expect_eq(status_of(parent), 3);
	close(output);
}

/* Without a terminal there is no shell that would continue a stopped stand-in. */
Test(cli_relay, stop_without_a_terminal)
{
	int output, status;
	pid_t parent;

	parent = start_relay("echo $$; kill -STOP $$; exit 5", &output);
	char line[32] = "";

	cr_assert_gt(read(output, line, sizeof(line) - 1), 1);
	pid_t child = atoi(line);
	char stat_path[64], state = 0;

	snprintf(stat_path, sizeof(stat_path), "/proc/%d/stat", child);
	while (state != 'T') {
		OWNED_FILE FILE *f = fopen(stat_path, "r");

		cr_assert(f);
		cr_assert_eq(fscanf(f, "%*d (%*[^)]) %c", &state), 1);
	}
	cr_expect_eq(waitpid(parent, &status, WUNTRACED | WNOHANG), 0);
	kill(child, SIGCONT);
	cr_expect_eq(status_of(parent), 5);
	close(output);
}
