/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Standing in for a command with a terminal: a process plays the shell with job control. It can
 * make no assertions of Criterion's; its exit status tells.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include "grith/exec/exec.h"
#include "lib/base/base.h"
#include "signals_fixture.h"

TestSuite(cli_relay_terminal, .init = heed_signals, .timeout = 60);

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
	int status;

	if (shell == 0)
		play();
	cr_assert_eq(waitpid(shell, &status, 0), shell);
	cr_expect_eq(status, 0);
}

Test(cli_relay_terminal, a_hold_is_no_job_control)
{
	expect_played(play_holds);
}

Test(cli_relay_terminal, job_control_while_held)
{
	expect_played(play_stop_while_held);
}

Test(cli_relay_terminal, killed_while_held)
{
	expect_played(play_killed_while_held);
}

/* Each Ctrl-Z is one stop, each continuation one go on, whichever signal comes first where. */
Test(cli_relay_terminal, job_control)
{
	expect_played(play_shell);
}
