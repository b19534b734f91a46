/* SPDX-License-Identifier: MPL-2.0 */
/* Other processes that a test needs. */
#pragma once

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

/* fork() of a child that ends with the test, however that ends. */
static inline pid_t child_fork(void)
{
	pid_t parent = getpid(), pid = fork();

	if (pid == 0 && (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent))
		_exit(1);
	return pid;
}
