/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Standing in for a command: exit statuses, signals, job control.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include "relay.h"
#include "text.h"

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

/* What whoever started the tests ignores, all that they start ignores as well. */
static void heed_signals(void)
{
	static const int signals[] = { SIGINT,	SIGQUIT, SIGHUP,  SIGTERM, SIGUSR1, SIGUSR2,
				       SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE, SIGCHLD };

	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		signal(signals[i], SIG_DFL);
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

/*
 * With a terminal: a process that plays the shell with job control. It can make no assertions of
 * Criterion's; its exit status tells.
 */

struct terminal {
	int master, slave;
	char seen[4096]; /* of what came out of it, the end */
	size_t length;
};

static void must(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "job control: %s: %s\n", what, strerror(errno));
	_exit(1);
}

static void open_terminal(struct terminal *terminal)
{
	terminal->master = posix_openpt(O_RDWR | O_NOCTTY);
	must(terminal->master >= 0, "posix_openpt");
	must(!grantpt(terminal->master) && !unlockpt(terminal->master), "grantpt");
	must(setsid() >= 0, "setsid");
	terminal->slave = open(ptsname(terminal->master), O_RDWR | O_NOCTTY);
	must(terminal->slave >= 0, "open");
	must(ioctl(terminal->slave, TIOCSCTTY, 0) == 0, "TIOCSCTTY");
	signal(SIGTTOU, SIG_IGN);
}

static void type(struct terminal *terminal, const char *keys)
{
	must(write(terminal->master, keys, strlen(keys)) == (ssize_t)strlen(keys), "write");
}

static void expect_shown(struct terminal *terminal, const char *text)
{
	while (!memmem(terminal->seen, terminal->length, text, strlen(text))) {
		ssize_t n;

		must(terminal->length < sizeof(terminal->seen), text);
		n = read(terminal->master, terminal->seen + terminal->length,
			 sizeof(terminal->seen) - terminal->length);
		must(n > 0, "read");
		terminal->length += n;
	}
	terminal->length = 0;
}

/* In the foreground, in a process group of its own. */
static pid_t start_job(struct terminal *terminal)
{
	pid_t job = fork();

	must(job >= 0, "fork");
	if (job == 0) {
		struct relay relay;
		pid_t child;

		setpgid(0, 0);
		tcsetpgrp(terminal->slave, getpgrp());
		signal(SIGTTOU, SIG_DFL);
		dup2(terminal->slave, STDIN_FILENO);
		dup2(terminal->slave, STDOUT_FILENO);
		relay_prepare(&relay);
		child = fork();
		if (child == 0) {
			relay_restore(&relay);
			execlp("cat", "cat", NULL);
			_exit(127);
		}
		_exit(relay_run(&relay, child));
	}
	setpgid(job, job);
	tcsetpgrp(terminal->slave, job);
	return job;
}

static void __attribute__((noreturn)) play_shell(void)
{
	struct terminal terminal = { 0 };
	char line[32], shown[64];
	int status;
	pid_t job;

	alarm(50); /* a job that stopped once too often is waited for in vain */
	open_terminal(&terminal);
	job = start_job(&terminal);
	for (int i = 0; i < 40; i++) {
		snprintf(line, sizeof(line), "line%d\n", i);
		snprintf(shown, sizeof(shown), "line%d\r\nline%d\r\n", i, i);
		type(&terminal, line);
		expect_shown(&terminal, shown);

		type(&terminal, "\x1a");
		must(waitpid(job, &status, WUNTRACED) == job, "waitpid");
		must(WIFSTOPPED(status) && WSTOPSIG(status) == SIGTSTP, "stopped by SIGTSTP");
		tcsetpgrp(terminal.slave, getpgrp());
		tcsetpgrp(terminal.slave, job);
		kill(-job, SIGCONT);
	}
	type(&terminal, "\x03");
	must(waitpid(job, &status, WUNTRACED) == job, "waitpid");
	must(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGINT, "ended by SIGINT");
	_exit(0);
}

/* The third field of /proc/PID/stat; 0 where the process is gone. */
static char state_of(pid_t pid)
{
	char path[64], state = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "r");
	if (!f)
		return 0;
	if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
		state = 0;
	fclose(f);
	return state;
}

static bool has_pending(pid_t pid)
{
	unsigned long long pending = 0;
	char path[64], line[256];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	f = fopen(path, "r");
	must(f, "status");
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "ShdPnd: %llx", &pending) == 1)
			break;
	fclose(f);
	return pending;
}

static void await_state(pid_t pid, char state)
{
	while (state_of(pid) != state)
		must(state_of(pid), "it is there");
}

/* Until the stand-in has taken all of its signals and waits for more; it must not have stopped. */
static void await_idle(pid_t job)
{
	char state;

	do {
		state = state_of(job);
		must(state && state != 'T', "the stand-in goes on");
	} while (state != 'S' || has_pending(job));
}

static pid_t child_of(pid_t job)
{
	char path[64];
	pid_t child = 0;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", job, job);
	while (!child) {
		FILE *f = fopen(path, "r");

		must(f, "children");
		if (fscanf(f, "%d", &child) != 1)
			child = 0;
		fclose(f);
	}
	return child;
}

static void expect_echo(struct terminal *terminal, const char *word)
{
	OWNED_TEXT struct text line = { 0 }, shown = { 0 };

	text_addf(&line, "%s\n", word);
	text_addf(&shown, "%s\r\n%s\r\n", word, word);
	type(terminal, line.data);
	expect_shown(terminal, shown.data);
}

static void end_job(struct terminal *terminal, pid_t job)
{
	int status;

	type(terminal, "\x03");
	must(waitpid(job, &status, WUNTRACED) == job, "waitpid");
	must(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGINT, "ended by SIGINT");
}

/* Stopped and continued from outside, as a hold is: nothing of it reaches the shell. */
static void hold_and_continue(struct terminal *terminal, pid_t job, pid_t child)
{
	int status;

	kill(child, SIGSTOP);
	await_state(child, 'T');
	await_idle(job);
	must(waitpid(job, &status, WUNTRACED | WNOHANG) == 0, "no stop for the shell");
	must(tcgetpgrp(terminal->slave) == job, "the terminal stays with the job");
	kill(child, SIGCONT);
}

static void __attribute__((noreturn)) play_holds(void)
{
	struct terminal terminal = { 0 };
	pid_t job, child;

	alarm(50);
	open_terminal(&terminal);
	job = start_job(&terminal);
	child = child_of(job);
	expect_echo(&terminal, "one");
	for (int i = 0; i < 20; i++) {
		hold_and_continue(&terminal, job, child);
		expect_echo(&terminal, "two");
	}
	end_job(&terminal, job);
	_exit(0);
}

/* The key for TSTP while the child is held: the shell gets its terminal, and fg goes on. */
static void __attribute__((noreturn)) play_stop_while_held(void)
{
	struct terminal terminal = { 0 };
	pid_t job, child;
	int status;

	alarm(50);
	open_terminal(&terminal);
	job = start_job(&terminal);
	child = child_of(job);
	expect_echo(&terminal, "one");
	for (int i = 0; i < 10; i++) {
		kill(child, SIGSTOP);
		await_state(child, 'T');
		await_idle(job);
		type(&terminal, "\x1a");
		must(waitpid(job, &status, WUNTRACED) == job, "waitpid");
		must(WIFSTOPPED(status) && WSTOPSIG(status) == SIGTSTP, "stopped by SIGTSTP");
		tcsetpgrp(terminal.slave, getpgrp());
		tcsetpgrp(terminal.slave, job);
		kill(-job, SIGCONT);
		expect_echo(&terminal, "two");
		await_idle(job);
		/* and a later hold is one again */
		hold_and_continue(&terminal, job, child);
		expect_echo(&terminal, "three");
	}
	end_job(&terminal, job);
	_exit(0);
}

/* A hold that ends by the child's death ends the stand-in, too. */
static void __attribute__((noreturn)) play_killed_while_held(void)
{
	struct terminal terminal = { 0 };
	pid_t job, child;
	int status;

	alarm(50);
	open_terminal(&terminal);
	job = start_job(&terminal);
	child = child_of(job);
	expect_echo(&terminal, "one");
	kill(child, SIGSTOP);
	await_state(child, 'T');
	await_idle(job);
	kill(child, SIGKILL);
	must(waitpid(job, &status, WUNTRACED) == job, "waitpid");
	must(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGKILL, "ended by SIGKILL");
	_exit(0);
}

static void expect_played(void (*play)(void))
{
	pid_t shell = fork();

	if (shell == 0)
		play();
	cr_expect_eq(status_of(shell), 0);
}

Test(cli_relay, a_hold_is_no_job_control)
{
	expect_played(play_holds);
}

Test(cli_relay, job_control_while_held)
{
	expect_played(play_stop_while_held);
}

Test(cli_relay, killed_while_held)
{
	expect_played(play_killed_while_held);
}

/* Each Ctrl-Z is one stop, each continuation one go on, whichever signal comes first where. */
Test(cli_relay, job_control)
{
	expect_played(play_shell);
}
