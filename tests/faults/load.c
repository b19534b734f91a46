/* SPDX-License-Identifier: MPL-2.0 */
/*
 * load DIRECTORY KIND [COUNT [PAUSE]]: makes operations inside a session, COUNT times, or until
 * DIRECTORY/stop is there (0), with PAUSE milliseconds in between, and prints how many of each kind
 * there were. Whatever else happens on the machine, no refused operation may succeed and no allowed
 * one fail. KIND:
 *
 *	each	the policy refuses the files `no` and `program`, and allows `yes`
 *	held	`held`, which the policy holds and the session denies, is opened
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

static void open_held(void)
{
	expect_refusal("held", try_open("held", O_RDONLY));
}

int main(int argc, char **argv)
{
	bool held = argc > 2 && !strcmp(argv[2], "held");
	unsigned long count = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
	unsigned long pause = argc > 4 ? strtoul(argv[4], NULL, 10) : 0;

	if (argc < 3 || argc > 5 || chdir(argv[1]) < 0) {
		fprintf(stderr, "usage: load DIRECTORY each|held [COUNT [PAUSE]]\n");
		return 2;
	}
	for (unsigned long i = 0; count ? i < count : access("stop", F_OK) < 0; i++) {
		if (held)
			open_held();
		else
			make_each();
		usleep(pause * 1000);
	}
	printf("refused %lu\nthrough %lu\nallowed %lu\nfailed %lu\n", refused, through, allowed,
	       failed);
	return through ? 1 : 0;
}
