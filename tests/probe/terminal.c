/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Terminals: input that nobody typed, and pseudo terminals of one's own.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/base.h"
#include "probe.h"

/* Into the terminal on standard input; a newline would run what stands before it. */
static int run_tiocsti(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return outcome(ioctl(STDIN_FILENO, TIOCSTI, "\n"));
}

static int run_ioctl(int argc, char **argv)
{
	unsigned long command;
	int r = parse_number(argv[1], UINT_MAX, &command);
	int argument = 0;

	(void)argc;
	return r ? r : outcome(ioctl(STDIN_FILENO, command, &argument));
}

static void use_slave(const char *name)
{
	OWNED_FD int slave = -1;
	OWNED_FD int again = -1;

	setsid();
	slave = open(name, O_RDWR | O_CLOEXEC);
	if (slave < 0)
		_exit(errno);
	again = open("/dev/tty", O_RDWR | O_CLOEXEC);
	if (again < 0 || ioctl(again, TIOCSETD, &(int) { 0 }) < 0)
		_exit(errno);
	_exit(0);
}

/* A pseudo terminal that controls a child, which opens it and sets its line discipline. */
static int run_pty_own(int argc, char **argv)
{
	OWNED_FD int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	char name[64];
	int status;
	pid_t pid;

	(void)argc;
	(void)argv;
	if (master < 0 || grantpt(master) < 0 || unlockpt(master) < 0 ||
	    ptsname_r(master, name, sizeof(name)))
		return -errno;
	pid = fork();
	if (pid < 0)
		return untried("fork: %s", strerror(errno));
	if (!pid)
		use_slave(name);
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return untried("the child did not end");
	return -WEXITSTATUS(status);
}

/* Holds a pseudo terminal until it is killed, and prints its name in place of "ready". */
static int run_serve_pty(int argc, char **argv)
{
	OWNED_FD int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);

	(void)argc;
	if (master < 0 || grantpt(master) < 0 || unlockpt(master) < 0)
		return untried("no pseudo terminal: %s", strerror(errno));
	if (symlink(ptsname(master), argv[1]) < 0)
		return untried("%s: %s", argv[1], strerror(errno));
	puts("ready");
	fflush(stdout);
	for (;;)
		pause();
}

const struct verb terminal_verbs[] = {
	{ "tiocsti", "", 0, 0, run_tiocsti },
	{ "ioctl", "NUMBER", 1, 1, run_ioctl },
	{ "pty-own", "", 0, 0, run_pty_own },
	{ "serve-pty", "LINK", 1, 1, run_serve_pty },
	{ 0 },
};
