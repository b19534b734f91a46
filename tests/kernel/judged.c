/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Programs that are stopped before their first instruction: until they were judged they do nothing,
 * whoever continues them, and nobody in a session changes them.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stage.h"

#define RAN 42 /* exit status of a program that had a child */
#define NOT_STOPPED 60

static int try_judged(void)
{
	execl(JUDGED, "judged", "an argument", (char *)NULL);
	return errno;
}

/* Stopped before the first instruction; another user's or our own SIGCONT is refused. */
static void check_judged(struct stage *s)
{
	pid_t pid, stranger;
	int status;

	copy_program("/bin/true", JUDGED);
	pid = start(s, try_judged);
	check(s->tally, wait_stopped(s, pid), "judged: not stopped");
	check(s->tally, s->record.head.flags & GRITH_RECORD_INSPECT_ARGV, "judged: no record");
	stranger = fork();
	if (!stranger)
		_exit(kill(pid, SIGCONT) < 0 && errno == EPERM ? 0 : 1);
	waitpid(stranger, &status, 0);
	check(s->tally, status == 0, "judged: a stranger may continue it");
	check(s->tally, state_of(pid) == 'T', "judged: it runs");
	check(s->tally, kernel_inspected(s->kernel, pid) == 0, "judged: not among the holds");
	kill(pid, SIGCONT);
	check(s->tally, wait_ended(s, pid) == 0, "judged: it failed");
}

/*
 * The kernel continues a program when its parent ends, if it asked for that before the exec. The
 * program is a static one, which opens nothing on its way to a child.
 */
static int try_orphan(void)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGCONT);
		execl(JUDGED, "sh", "-c", "(exit 42); exit $?", (char *)NULL);
		_exit(errno);
	}
	if (waitpid(pid, &status, WUNTRACED) != pid || !WIFSTOPPED(status))
		return NOT_STOPPED;
	return 0;
}

static void check_orphan(struct stage *s)
{
	pid_t pid;
	int status;

	copy_program("$(command -v busybox)", JUDGED);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	status = wait_ended(s, start(s, try_orphan));
	check(s->tally, status == 0, "orphan: %s",
	      status == NOT_STOPPED ? "not stopped" : "failed");
	pid = (pid_t)s->record.head.pid;
	poll(NULL, 0, 500); /* the signal was sent before its parent's end was seen */
	check(s->tally, wait_stopped(s, pid), "orphan: it runs although nobody judged it");
	check(s->tally, kernel_inspected(s->kernel, pid) == 0, "orphan: not among the holds");
	kill(pid, SIGCONT);
	check(s->tally, wait_ended(s, pid) == RAN, "orphan: judged, it failed");
	prctl(PR_SET_CHILD_SUBREAPER, 0);
}

/* How many of the ways to write to another process's memory are open. */
static int ways_in(pid_t pid)
{
	char path[64], byte = 0;
	struct iovec here = { &byte, 1 }, there = { (void *)4096, 1 };
	int fd, ways = 0;

	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	fd = open(path, O_RDWR | O_CLOEXEC);
	ways += fd >= 0;
	if (fd >= 0)
		close(fd);
	/* Nothing is mapped there: that is said to whoever may look. */
	ways += process_vm_writev(pid, &here, 1, &there, 1, 0) == 1 || errno == EFAULT;
	ways += ptrace(PTRACE_SEIZE, pid, 0, 0) == 0;
	return ways;
}

static pid_t fork_stopped(attempt_fn *then)
{
	pid_t pid = fork();
	int status;

	if (!pid)
		_exit(then());
	if (waitpid(pid, &status, WUNTRACED) != pid || !WIFSTOPPED(status))
		return -1;
	return pid;
}

static int stop(void)
{
	return raise(SIGSTOP);
}

static int try_meddle(void)
{
	pid_t plain = fork_stopped(stop), judged = fork_stopped(try_judged);
	int control, ways;

	if (plain < 0 || judged < 0)
		return NOT_STOPPED;
	control = ways_in(plain);
	ways = ways_in(judged);
	kill(plain, SIGKILL);
	kill(judged, SIGKILL);
	return control == 3 ? ways : 10 + control;
}

/* What it was judged by stays as it is. */
static void check_meddle(struct stage *s)
{
	int status;

	copy_program("/bin/true", JUDGED);
	status = wait_ended(s, start(s, try_meddle));
	check(s->tally, status == 0, "meddling: %d ways", status);
}

/* A debugger from before the exec. RAN: the program was loaded. */
static int try_traced(void)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		_exit(try_judged());
	}
	if (waitpid(pid, &status, 0) != pid)
		return ECHILD;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	kill(pid, SIGKILL);
	return RAN;
}

static void check_traced(struct stage *s)
{
	int status = wait_ended(s, start(s, try_traced));

	check(s->tally, status == EACCES, "under a debugger: %s", strerror(status));
}

/* Somebody else may change its working directory. */
static int try_shared(void)
{
	pid_t pid = (pid_t)syscall(SYS_clone, CLONE_FS | SIGCHLD, NULL, NULL, NULL, 0);
	int status;

	if (!pid)
		_exit(try_judged());
	if (waitpid(pid, &status, WUNTRACED) != pid)
		return ECHILD;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
		return 0;
	kill(pid, SIGKILL);
	return RAN;
}

static void check_shared(struct stage *s)
{
	int status = wait_ended(s, start(s, try_shared));

	check(s->tally, status == 0, "shared directory: %d", status);
}

static void check_none_left(struct stage *s)
{
	OWNED_MEM struct kernel_hold *list = NULL;
	size_t count = 1;

	check(s->tally, kernel_holds(s->kernel, &list, &count) == 0 && !count, "%zu holds left",
	      count);
}

void test_judged(struct tally *tally)
{
	struct stage s;
	int r = stage_open(&s, tally);

	if (check(tally, r == 0, "no session: %s", strerror(-r))) {
		check_judged(&s);
		check_orphan(&s);
		check_meddle(&s);
		check_traced(&s);
		check_shared(&s);
		check_none_left(&s);
	}
	stage_close(&s);
}
