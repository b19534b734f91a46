/* SPDX-License-Identifier: MPL-2.0 */
/*
 * load DIRECTORY: makes operations inside a session until DIRECTORY/stop is there, and prints how
 * many of each kind there were. The policy refuses the files `no` and `program`, and allows `yes`.
 * Whatever else happens on the machine, no refused operation may succeed and no allowed one fail.
 *
 * load DIRECTORY HOLDS: opens `held`, which the policy holds and the session denies, so many times.
 *
 *	refused N	operations that the policy refuses, and were
 *	through N	that succeeded
 *	allowed N	operations that it allows, and were
 *	failed N	that did not succeed
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned long refused, through, allowed, failed;

static void fail(const char *what)
{
	if (!failed++)
		fprintf(stderr, "%s: %m\n", what);
}

static void expect_refusal(const char *what, int result)
{
	if (result >= 0)
		through++;
	else if (errno == EACCES)
		refused++;
	else
		fail(what);
}

static void expect_success(const char *what, int result)
{
	if (result >= 0)
		allowed++;
	else
		fail(what);
}

static int try_open(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0600);

	if (fd >= 0)
		close(fd);
	return fd;
}

/* -1 with errno of the exec, else 0. */
static int try_exec(const char *path)
{
	int status = 0, error = 0;
	pid_t pid = vfork();

	if (pid == 0) {
		execl(path, path, NULL);
		_exit(errno);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return -1;
	error = WIFEXITED(status) ? WEXITSTATUS(status) : ECHILD;
	errno = error;
	return error ? -1 : 0;
}

static void make_each(void)
{
	expect_refusal("read", try_open("no", O_RDONLY));
	expect_refusal("write", try_open("no", O_WRONLY));
	expect_refusal("truncate", truncate("no", 0));
	expect_refusal("unlink", unlink("no"));
	expect_refusal("rename", rename("no", "other"));
	expect_refusal("exec", try_exec("./program"));
	for (int i = 0; i < 20; i++)
		expect_success("open", try_open("yes", O_RDONLY));
}

int main(int argc, char **argv)
{
	unsigned long holds = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;

	if (argc < 2 || chdir(argv[1]) < 0) {
		fprintf(stderr, "usage: load DIRECTORY [HOLDS]\n");
		return 2;
	}
	for (unsigned long i = 0; i < holds; i++)
		expect_refusal("held", try_open("held", O_RDONLY));
	while (!holds && access("stop", F_OK) < 0)
		make_each();
	printf("refused %lu\nthrough %lu\nallowed %lu\nfailed %lu\n", refused, through, allowed,
	       failed);
	return through ? 1 : 0;
}
