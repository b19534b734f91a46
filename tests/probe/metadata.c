/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What is known about a file: looking at it and changing it.
 */
#include <fcntl.h>
#include <limits.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "lib/base/base.h"
#include "probe.h"

#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

static int run_stat(int argc, char **argv)
{
	struct stat st;

	(void)argc;
	return outcome(stat(argv[1], &st));
}

static int run_statx(int argc, char **argv)
{
	struct statx st;

	(void)argc;
	return outcome(statx(AT_FDCWD, argv[1], AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &st));
}

/* The mode stays what the owner can use, so that later attempts are not hindered. */
static int run_chmod(int argc, char **argv)
{
	(void)argc;
	return outcome(chmod(argv[1], 0600));
}

static int run_fchmod(int argc, char **argv)
{
	OWNED_FD int fd = open(argv[1], O_RDONLY | O_CLOEXEC);

	(void)argc;
	if (fd < 0)
		return untried("%s: %s", argv[1], strerror(errno));
	return outcome(fchmod(fd, 0600));
}

static int run_fchmodat2(int argc, char **argv)
{
	long r = syscall(SYS_fchmodat2, AT_FDCWD, argv[1], 0600, 0);

	(void)argc;
	if (r < 0 && errno == ENOSYS)
		return untried("this kernel has no fchmodat2");
	return outcome(r);
}

static int run_chown(int argc, char **argv)
{
	(void)argc;
	return outcome(chown(argv[1], getuid(), getgid()));
}

static int run_setxattr(int argc, char **argv)
{
	(void)argc;
	return outcome(setxattr(argv[1], "user.probe", "1", 1, 0));
}

static int run_removexattr(int argc, char **argv)
{
	(void)argc;
	return outcome(removexattr(argv[1], "user.probe"));
}

static int run_utimes(int argc, char **argv)
{
	static const struct timespec times[2] = { { .tv_sec = 1 }, { .tv_sec = 1 } };

	(void)argc;
	return outcome(utimensat(AT_FDCWD, argv[1], times, 0));
}

/* The times of now: another question to the kernel's own permissions. */
static int run_touch(int argc, char **argv)
{
	(void)argc;
	return outcome(utimensat(AT_FDCWD, argv[1], NULL, 0));
}

static int run_listxattr(int argc, char **argv)
{
	char names[4096];

	(void)argc;
	return outcome(listxattr(argv[1], names, sizeof(names)));
}

static int run_getxattr(int argc, char **argv)
{
	char value[256];
	int r = outcome(getxattr(argv[1], "user.probe", value, sizeof(value)));

	(void)argc;
	return r == -ENODATA || r == -ENOTSUP ? 0 : r;
}

static int run_readlink(int argc, char **argv)
{
	char target[PATH_MAX];

	(void)argc;
	return outcome(readlink(argv[1], target, sizeof(target)));
}

static int run_statfs(int argc, char **argv)
{
	struct statfs st;

	(void)argc;
	return outcome(statfs(argv[1], &st));
}

static int run_watch(int argc, char **argv)
{
	OWNED_FD int fd = inotify_init1(IN_CLOEXEC);

	(void)argc;
	return outcome(inotify_add_watch(fd, argv[1], IN_ALL_EVENTS));
}

const struct verb metadata_verbs[] = {
	{ "stat", "FILE", 1, 1, run_stat },
	{ "statx", "FILE", 1, 1, run_statx },
	{ "chmod", "FILE", 1, 1, run_chmod },
	{ "fchmod", "FILE", 1, 1, run_fchmod },
	{ "fchmodat2", "FILE", 1, 1, run_fchmodat2 },
	{ "chown", "FILE", 1, 1, run_chown },
	{ "setxattr", "FILE", 1, 1, run_setxattr },
	{ "removexattr", "FILE", 1, 1, run_removexattr },
	{ "utimes", "FILE", 1, 1, run_utimes },
	{ "touch", "FILE", 1, 1, run_touch },
	{ "listxattr", "FILE", 1, 1, run_listxattr },
	{ "getxattr", "FILE", 1, 1, run_getxattr },
	{ "readlink", "LINK", 1, 1, run_readlink },
	{ "statfs", "FILE", 1, 1, run_statfs },
	{ "watch", "FILE", 1, 1, run_watch },
	{ 0 },
};
