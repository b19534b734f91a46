/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What else happens to a process while it is held: signals and their handlers, a debugger, a stop
 * by its user, a parent that waits for it in vfork.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stage.h"

#define SUPPRESSED 1000 /* stops that a debugger keeps from its process */

static int try_open(void)
{
	return status_of(open(HELD "/file", O_RDONLY));
}

static void open_secret(int signal)
{
	(void)signal;
	close(open(SECRET, O_RDONLY | O_CLOEXEC));
}

static int try_interrupted(void)
{
	struct sigaction action = { .sa_handler = open_secret };

	sigaction(SIGUSR1, &action, NULL);
	return try_open();
}

/* A handler does something of the same kind before the call is made again: that is not held. */
static void check_interrupted(struct stage *s)
{
	pid_t pid;

	make_objects();
	make_file(SECRET, 0600, "secret");
	s->stray = 0;
	pid = start(s, try_interrupted);
	check(s->tally, wait_stopped(s, pid), "interrupted: not held");
	kill(pid, SIGUSR1);
	kill(pid, SIGCONT);
	check(s->tally, wait_stopped(s, pid), "interrupted: not held again");
	check(s->tally, s->stray == 0, "interrupted: %u records of holds that are none", s->stray);
	answer(s, GRITH_ALLOW, true);
	kill(pid, SIGCONT);
	check(s->tally, wait_ended(s, pid) == 0, "interrupted: refused");
}

/* A debugger that keeps every stop from its process. ETIMEDOUT: for ever. */
static int try_suppressed(void)
{
	int status = 0, stops = 0;
	pid_t pid = fork();

	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		_exit(try_open());
	}
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		if (++stops > SUPPRESSED) {
			kill(pid, SIGKILL);
			return ETIMEDOUT;
		}
		ptrace(PTRACE_CONT, pid, 0, 0);
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : ECHILD;
}

static void check_suppressed(struct stage *s)
{
	int status;

	make_objects();
	s->refused = 0;
	status = wait_ended(s, start(s, try_suppressed));
	check(s->tally, status == EACCES && s->refused == 1, "debugger: %s, %u records",
	      strerror(status), s->refused);
}

static void continue_by_stranger(pid_t pid)
{
	pid_t stranger = fork();

	if (!stranger)
		_exit(kill(pid, SIGCONT) < 0);
	waitpid(stranger, NULL, 0);
}

/* Its user stopped it: grithd, which this is, does not continue it until somebody else has. */
static void check_user_stop(struct stage *s)
{
	pid_t pid;

	make_objects();
	pid = start(s, try_open);
	wait_stopped(s, pid);
	check(s->tally, kernel_continue(s->kernel, pid, -1) == 0,
	      "our own stop is taken for a user's");
	wait_stopped(s, pid);
	kill(pid, SIGSTOP);
	check(s->tally, kernel_continue(s->kernel, pid, -1) == -EBUSY,
	      "what a user stopped is continued");
	continue_by_stranger(pid);
	wait_stopped(s, pid);
	check(s->tally, kernel_continue(s->kernel, pid, -1) == 0, "is still taken for stopped");
	kill(pid, SIGKILL);
	wait_ended(s, pid);
}

/* The child has its parent's memory until its exec, and the parent waits for that in the kernel. */
static int try_vfork(void)
{
	int status;
	pid_t pid = vfork();

	if (!pid) {
		execl(HELD "/true", "true", (char *)NULL);
		_exit(errno);
	}
	if (waitpid(pid, &status, 0) != pid)
		return errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Until something is held; its process, or 0. */
static pid_t wait_held(struct stage *s)
{
	for (int i = 0; i < 1000 && !s->holds; i++) {
		usleep(1000);
		read_records(s);
	}
	return s->holds && wait_stopped(s, (pid_t)s->record.head.pid) ? (pid_t)s->record.head.pid
								      : 0;
}

/* The status of the parent, when the child is answered so or, with `verdict` GRITH_HOLD, killed. */
static int run_vfork(struct stage *s, enum grith_verdict verdict)
{
	pid_t parent, child;

	make_objects();
	s->holds = 0;
	parent = start(s, try_vfork);
	child = wait_held(s);
	check(s->tally, child && child != parent, "vfork: the child is not held");
	check(s->tally, state_of(parent) != 'T', "vfork: the parent is stopped");
	if (verdict == GRITH_HOLD) {
		kill(child, SIGKILL);
	} else {
		answer(s, verdict, true);
		kernel_continue(s->kernel, child, -1);
	}
	return wait_ended(s, parent);
}

static void check_vfork(struct stage *s)
{
	int status = run_vfork(s, GRITH_ALLOW);

	check(s->tally, status == 0, "vfork allowed: %d", status);
	status = run_vfork(s, GRITH_DENY);
	check(s->tally, status == EACCES, "vfork denied: %d", status);
	status = run_vfork(s, GRITH_HOLD);
	check(s->tally, status == 128 + SIGKILL, "vfork killed: %d", status);
}

void test_meanwhile(struct tally *tally)
{
	struct stage s;
	int r = stage_open(&s, tally);

	if (check(tally, r == 0, "no session: %s", strerror(-r))) {
		check_interrupted(&s);
		check_suppressed(&s);
		check_user_stop(&s);
		check_vfork(&s);
		check_no_holds(&s);
	}
	stage_close(&s);
}
