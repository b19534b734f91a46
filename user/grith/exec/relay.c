/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The parent's one wait: all signals it cares about are blocked and taken one by one, so there is
 * no handler and nothing global.
 *
 * The child stays in our process group, so that a shell sees one job. What the terminal sends
 * (the keys for INT, QUIT and TSTP, a hang-up, a new window size) thus reaches the child without
 * us; signals that are sent to us alone are passed on.
 *
 * A child that is held is stopped by SIGSTOP, and so is one that was stopped by hand. Neither
 * is job control: we go on waiting, the terminal stays with the job, and whoever stopped the child
 * continues it. But as long as it is stopped it cannot obey the key for TSTP (SIGCONT will drop the
 * signal), so then we obey alone, and the shell gets its terminal back. When the shell continues
 * the job, the child tries again what it was held for, and is held again.
 */
#include <fcntl.h>
#include <sys/wait.h>

#include "grith/base/base.h"
#include "relay.h"

#define ASKED_MS 1000 /* that a program has to make a stop of a SIGTSTP */

static const int caught[] = { SIGTERM, SIGHUP,	 SIGINT,  SIGQUIT, SIGUSR1,
			      SIGUSR2, SIGWINCH, SIGCONT, SIGTSTP, SIGCHLD };

void relay_prepare(struct relay *relay)
{
	struct sigaction by_default = { .sa_handler = SIG_DFL };

	sigemptyset(&relay->caught);
	for (size_t i = 0; i < ARRAY_SIZE(caught); i++)
		sigaddset(&relay->caught, caught[i]);
	sigprocmask(SIG_BLOCK, &relay->caught, &relay->before);
	/* Where the caller ignores it, the kernel would take the child's status away. */
	sigaction(SIGCHLD, &by_default, &relay->child_before);
}

void relay_restore(const struct relay *relay)
{
	sigaction(SIGCHLD, &relay->child_before, NULL);
	sigprocmask(SIG_SETMASK, &relay->before, NULL);
}

static bool reached_child(const siginfo_t *info, pid_t child)
{
	return info->si_code == SI_KERNEL && getpgid(child) == getpgrp();
}

static bool has_terminal(void)
{
	OWNED_FD int fd = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);

	return fd >= 0;
}

/* What is known of the child. */
struct child {
	pid_t pid;
	bool stopped;
	bool still; /* stopped, not by job control */
	bool obeyed; /* a stop of the child was just followed by ours */
	bool woken; /* we have been, after a stop: the SIGCONT that did it is still to be taken */
	int64_t asked; /* when it was asked to stop by SIGTSTP, ms; 0: no, or it did */
};

/*
 * Stops as the child did, for the shell to see; where there is no terminal there is no shell that
 * would ever continue us, and whoever stopped the child continues it. The child goes on when
 * SIGCONT reaches us, and only then: in a group that the kernel does not let stop there is no
 * SIGCONT, and to continue the child at once could make it stop again without end.
 */
static void stop_likewise(struct child *child, int signal)
{
	sigset_t one, before;

	if (!has_terminal())
		return;
	child->woken = true;
	sigemptyset(&one);
	sigaddset(&one, signal);
	/*
	 * Raised while it is still blocked: the terminal's own may be waiting as well, and one stop
	 * takes both, because SIGCONT drops what is left.
	 */
	raise(signal);
	sigprocmask(SIG_UNBLOCK, &one, &before);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static bool is_job_control(int signal)
{
	return signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

static void take_stop(struct child *child, int signal)
{
	bool asked = child->asked && clock_ms(CLOCK_MONOTONIC) - child->asked < ASKED_MS;

	child->stopped = true;
	child->still = !is_job_control(signal);
	child->asked = 0;
	if (child->still && !asked)
		return;
	/* Of both at once SIGSTOP is taken first; and some programs answer SIGTSTP with it. */
	stop_likewise(child, child->still ? SIGTSTP : signal);
	child->obeyed = true;
}

/*
 * Whether the child has ended, and how. The kernel keeps the latest change only, so afterwards
 * `still` is as things are.
 */
static bool take_news(struct child *child, int *ret_status)
{
	int status;

	while (waitpid(child->pid, &status, WUNTRACED | WCONTINUED | WNOHANG) == child->pid) {
		if (WIFEXITED(status)) {
			*ret_status = WEXITSTATUS(status);
			return true;
		}
		if (WIFSIGNALED(status)) {
			*ret_status = 128 + WTERMSIG(status);
			return true;
		}
		if (WIFCONTINUED(status))
			child->stopped = child->still = false;
		if (WIFSTOPPED(status))
			take_stop(child, WSTOPSIG(status));
	}
	return false;
}

/*
 * The SIGCONT that ended our stop is mostly the whole job's. Sent once more to a child that has
 * gone on, it would take away a stop that was asked for since. One that was taken before a stop is
 * not the one that ended it: that one is still to come.
 */
static bool was_continued_with_us(struct child *child, int signal)
{
	bool woken = child->woken;

	if (signal != SIGCONT)
		return false;
	if (child->obeyed)
		return true;
	child->woken = false;
	return woken && !child->stopped;
}

static void take_signal(struct child *child, const siginfo_t *info)
{
	if (was_continued_with_us(child, info->si_signo))
		return;
	if (!reached_child(info, child->pid))
		kill(child->pid, info->si_signo);
	if (info->si_signo != SIGTSTP || child->obeyed)
		return;
	if (child->still)
		stop_likewise(child, SIGTSTP);
	else
		child->asked = clock_ms(CLOCK_MONOTONIC);
}

int relay_run(const struct relay *relay, pid_t pid)
{
	struct child child = { .pid = pid };
	int status;

	for (;;) {
		siginfo_t info;

		if (sigwaitinfo(&relay->caught, &info) < 0)
			continue; /* stopped and continued */
		/* Before any other signal, too: what came first may be reported last. */
		child.obeyed = false;
		if (take_news(&child, &status))
			return status;
		if (info.si_signo != SIGCHLD)
			take_signal(&child, &info);
	}
}
