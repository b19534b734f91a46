/* SPDX-License-Identifier: MPL-2.0 */
/* The process inside the session: it does what it is told, and says how it went. */
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/base/base.h"
#include "names.h"

#ifndef OPEN_TREE_CLONE
#define OPEN_TREE_CLONE 1
#endif

static int trees[VIEWS] = { -1, -1, -1, -1 };

/* A path, from a directory; of "#N/..." what follows, from the open tree N. */
struct from {
	int fd;
	const char *path;
};

static struct from from(const char *path)
{
	if (path[0] != '#')
		return (struct from) { AT_FDCWD, path };
	return (struct from) { trees[(unsigned int)(path[1] - '0') % VIEWS], path + 3 };
}

static int status_of(int result)
{
	return result < 0 ? errno : 0;
}

static int open_and_close(struct from what, int flags)
{
	int fd = openat(what.fd, what.path, flags | O_CLOEXEC, 0777);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static int delete (struct from what)
{
	int r = unlinkat(what.fd, what.path, 0);

	return status_of(r < 0 && errno == EISDIR ? unlinkat(what.fd, what.path, AT_REMOVEDIR) : r);
}

/* `directory` seen from now on by the view, whose name is a mountpoint or begins with '#'. */
static int view(struct from directory, const char *name)
{
	char path[sizeof("/proc/self/fd/") + 12];
	int fd, r;

	if (name[0] == '#') {
		int *tree = &trees[(unsigned int)(name[1] - '0') % VIEWS];

		if (*tree >= 0)
			close(*tree);
		*tree = (int)syscall(SYS_open_tree, directory.fd, directory.path,
				     OPEN_TREE_CLONE | O_CLOEXEC);
		return status_of(*tree);
	}
	umount2(name, MNT_DETACH); /* the one before, if there is one */
	fd = openat(directory.fd, directory.path, O_PATH | O_CLOEXEC);
	if (fd < 0)
		return errno;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	r = status_of(mount(path, name, NULL, MS_BIND, NULL));
	close(fd);
	return r;
}

static int try(const char *op, const char *first, const char *second)
{
	struct from one = from(first), other = from(second);

	if (!strcmp(op, "rename"))
		return status_of(renameat(one.fd, one.path, other.fd, other.path));
	if (!strcmp(op, "exchange"))
		return status_of(
			renameat2(one.fd, one.path, other.fd, other.path, RENAME_EXCHANGE));
	if (!strcmp(op, "link"))
		return status_of(linkat(one.fd, one.path, other.fd, other.path, 0));
	if (!strcmp(op, "symlink"))
		return status_of(symlinkat(one.path, other.fd, other.path));
	if (!strcmp(op, "create"))
		return open_and_close(other, O_WRONLY | O_CREAT | O_EXCL);
	if (!strcmp(op, "mkdir"))
		return status_of(mkdirat(other.fd, other.path, 0777));
	if (!strcmp(op, "delete"))
		return delete (one);
	if (!strcmp(op, "read"))
		return open_and_close(one, O_RDONLY);
	if (!strcmp(op, "write"))
		return open_and_close(one, O_WRONLY);
	if (!strcmp(op, "view"))
		return view(one, second);
	return EINVAL;
}

static void map_id(const char *file, unsigned int id)
{
	FILE *f = fopen(file, "we");

	if (!f || fprintf(f, "0 %u 1\n", id) < 0 || fclose(f) < 0) {
		perror(file);
		exit(2);
	}
}

/* A namespace for mounts of its own, which an ordinary user gets with one for users. */
static void leave_home(void)
{
	unsigned int uid = geteuid(), gid = getegid();
	FILE *groups;

	if (unshare(CLONE_NEWNS | (uid ? CLONE_NEWUSER : 0)) < 0) {
		perror("unshare");
		exit(2);
	}
	if (uid) {
		groups = fopen("/proc/self/setgroups", "we");
		if (groups) {
			fputs("deny", groups);
			fclose(groups);
		}
		map_id("/proc/self/uid_map", uid);
		map_id("/proc/self/gid_map", gid);
	}
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) {
		perror("mount");
		exit(2);
	}
}

int worker(void)
{
	char op[16], one[PATH_MAX + 1], other[PATH_MAX + 1];

	umask(0);
	leave_home();
	while (scanf("%15s %4096s %4096s", op, one, other) == 3) {
		printf("%d\n", try(op, one, other));
		fflush(stdout);
	}
	return 0;
}
