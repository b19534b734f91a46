/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The child is forked, not executed: what it does is a few system calls. It belongs to the user
 * from then on, who may stop and kill it; what it has of grithd's memory they cannot read, since a
 * process that changed its user is not dumpable.
 */
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "priority.h"
#include "user_child.h"

struct user_child {
	pid_t pid; /* 0: has ended and was reaped */
	int pidfd; /* readable at its end */
	sd_event_source *ended, *timer;
	user_done_fn *done; /* NULL: was called, or is not to be */
	void *arg;
	bool freed; /* by its owner; only to be reaped */
};

/* The exit status is the errno. */
static _Noreturn void run(const struct user_rights *rights, user_work_fn *work, const void *arg)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (setns(rights->mounts, CLONE_NEWNS) < 0)
		_exit(errno);
	if (setgroups(0, NULL) < 0 || setresgid(rights->gid, rights->gid, rights->gid) < 0 ||
	    setresuid(rights->uid, rights->uid, rights->uid) < 0)
		_exit(EPERM);
	_exit(-work(arg));
}

static void clear(struct user_child *child)
{
	sd_event_source_disable_unref(child->ended);
	sd_event_source_disable_unref(child->timer);
	cleanup_close(&child->pidfd);
	free(child);
}

/* Calls back; the child may be freed then. */
static void report(struct user_child *child, int r)
{
	user_done_fn *done = child->done;

	child->done = NULL;
	child->timer = sd_event_source_disable_unref(child->timer);
	if (done)
		done(child->arg, r);
}

static int reap(struct user_child *child)
{
	pid_t pid = child->pid;
	int status;

	child->pid = 0;
	if (waitpid(pid, &status, 0) != pid)
		return -errno;
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -ECANCELED;
}

static int on_ended(sd_event_source *source, int fd, uint32_t events, void *arg)
{
	struct user_child *child = arg;
	int r = reap(child);

	(void)fd;
	(void)events;
	sd_event_source_set_enabled(source, SD_EVENT_OFF);
	if (child->freed)
		clear(child);
	else
		report(child, r);
	return 0;
}

/* A file system can keep even a killed process in the kernel: on_ended() reaps it at its end. */
static int on_timer(sd_event_source *source, uint64_t time, void *arg)
{
	struct user_child *child = arg;

	(void)source;
	(void)time;
	kill(child->pid, SIGKILL);
	report(child, -ETIMEDOUT);
	return 0;
}

static int watch(struct user_child *child, sd_event *event, uint64_t timeout_ms)
{
	int r;

	child->pidfd = pidfd_open(child->pid, 0);
	if (child->pidfd < 0)
		return -errno;
	r = sd_event_add_io(event, &child->ended, child->pidfd, EPOLLIN, on_ended, child);
	if (r >= 0)
		r = sd_event_source_set_priority(child->ended, PRIORITY_SESSIONS);
	if (r >= 0)
		r = sd_event_add_time_relative(event, &child->timer, CLOCK_MONOTONIC,
					       timeout_ms * 1000, 0, on_timer, child);
	return r;
}

int user_child_start(sd_event *event, const struct user_rights *rights, user_work_fn *work,
		     const void *work_arg, uint64_t timeout_ms, user_done_fn *done, void *arg,
		     struct user_child **ret_child)
{
	CLEANUP(user_child_freep) struct user_child *child = calloc(1, sizeof(*child));
	int r;

	if (!child)
		return -ENOMEM;
	child->pidfd = -1;
	child->pid = fork();
	if (child->pid < 0) {
		child->pid = 0;
		return -errno;
	}
	if (child->pid == 0)
		run(rights, work, work_arg);
	r = watch(child, event, timeout_ms);
	if (r < 0)
		return r;
	child->done = done;
	child->arg = arg;
	*ret_child = TAKE_PTR(child);
	return 0;
}

void user_child_free(struct user_child *child)
{
	if (!child)
		return;
	child->done = NULL;
	child->freed = true;
	child->timer = sd_event_source_disable_unref(child->timer);
	if (child->pid)
		kill(child->pid, SIGKILL);
	if (child->pid && child->ended)
		return; /* on_ended() reaps it */
	if (child->pid) /* there was no memory, or no descriptor, to watch it */
		waitpid(child->pid, NULL, 0);
	clear(child);
}
