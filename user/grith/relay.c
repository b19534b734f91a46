/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The parent's one wait: all signals it cares about are blocked and taken one by one, so there is
 * no handler and nothing global.
 *
 * The child stays in our process group, so that a shell sees one job. What the terminal sends
 * (the keys for INT, QUIT and TSTP, a hang-up, a new window size) thus reaches the child without
 * us; what somebody sends to us alone is passed on.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <sys/wait.h>

#include "cleanup.h"
#include "relay.h"

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

/*
 * Stops as the child did, for the shell to see; where there is no terminal there is no shell that
 * would ever continue us, and whoever stopped the child continues it. The child goes on when
 * SIGCONT reaches us, and only then: in a group that the kernel does not let stop there is no
 * SIGCONT, and to continue the child at once could make it stop again without end.
 */
static void stop_likewise(int signal)
{
	sigset_t one, before;

	if (!has_terminal())
		return;
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

/* Whether the child has ended, and how. */
static bool take_news(pid_t child, int *ret_status)
{
	int status;

	while (waitpid(child, &status, WUNTRACED | WNOHANG) == child) {
		if (WIFEXITED(status)) {
			*ret_status = WEXITSTATUS(status);
			return true;
		}
		if (WIFSIGNALED(status)) {
			*ret_status = 128 + WTERMSIG(status);
			return true;
		}
		if (WIFSTOPPED(status))
			stop_likewise(WSTOPSIG(status));
	}
	return false;
}

int relay_run(const struct relay *relay, pid_t child)
{
	int status;

	for (;;) {
		siginfo_t info;

		if (sigwaitinfo(&relay->caught, &info) < 0)
			continue; /* stopped and continued */
		if (info.si_signo == SIGCHLD) {
			if (take_news(child, &status))
				return status;
		} else if (!reached_child(&info, child)) {
			kill(child, info.si_signo);
		}
	}
}
