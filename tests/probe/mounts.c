/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Other names for objects, by mounts: each verb makes one in a mount namespace of its own, or
 * reaches a directory by a mount that is attached nowhere, and runs another verb on a file there.
 */
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/base.h"
#include "passing.h"
#include "probe.h"

static int write_text(const char *path, const char *text)
{
	OWNED_FD int fd = open(path, O_WRONLY | O_CLOEXEC);

	return fd < 0 || write(fd, text, strlen(text)) < 0 ? -errno : 0;
}

/* A mount namespace, in a user namespace of its own unless this is root. */
static int enter_namespace(void)
{
	unsigned int uid = geteuid(), gid = getegid();
	char map[64];

	if (unshare(CLONE_NEWNS | (uid ? CLONE_NEWUSER : 0)) < 0)
		return untried("unshare: %s", strerror(errno));
	if (uid) {
		write_text("/proc/self/setgroups", "deny");
		snprintf(map, sizeof(map), "0 %u 1", uid);
		write_text("/proc/self/uid_map", map);
		snprintf(map, sizeof(map), "0 %u 1", gid);
		write_text("/proc/self/gid_map", map);
	}
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return untried("cannot make mounts private: %s", strerror(errno));
	return 0;
}

/* The verb in `argv` with the file `name` in `directory` behind its own arguments. */
static int run_on(const char *directory, const char *name, int argc, char **argv)
{
	char path[512], *words[8];

	if (argc + 1 > (int)ARRAY_SIZE(words) - 1)
		return untried("too many words");
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	memcpy(words, argv, argc * sizeof(*words));
	words[argc] = path;
	words[argc + 1] = NULL;
	return run_verb(argc + 1, words);
}

/* argv: via-bind DIRECTORY AT NAME VERB...: binds DIRECTORY, and what is mounted in it, at AT. */
static int run_via_bind(int argc, char **argv)
{
	int r = enter_namespace();

	if (r)
		return r;
	if (mount(argv[1], argv[2], NULL, MS_BIND | MS_REC, NULL) < 0)
		return -errno;
	return run_on(argv[2], argv[3], argc - 4, argv + 4);
}

/* argv: via-tree DIRECTORY NAME VERB...: a copy of the mount that is attached nowhere. */
static int run_via_tree(int argc, char **argv)
{
	OWNED_FD int tree = -1;
	char at[64];
	int r = enter_namespace();

	if (r)
		return r;
	tree = syscall(SYS_open_tree, AT_FDCWD, argv[1], 1 /* OPEN_TREE_CLONE */ | AT_RECURSIVE);
	if (tree < 0)
		return -errno;
	snprintf(at, sizeof(at), "/proc/self/fd/%d", tree);
	return run_on(at, argv[2], argc - 3, argv + 3);
}

/* argv: via-moved-tree DIRECTORY AT NAME VERB...: the same, then attached at AT. */
static int run_via_moved_tree(int argc, char **argv)
{
	OWNED_FD int tree = -1;
	int r = enter_namespace();

	if (r)
		return r;
	tree = syscall(SYS_open_tree, AT_FDCWD, argv[1], 1 | AT_RECURSIVE);
	if (tree < 0 || syscall(SYS_move_mount, tree, "", AT_FDCWD, argv[2], 4) < 0)
		return -errno;
	return run_on(argv[2], argv[3], argc - 4, argv + 4);
}

/* argv: via-root DIRECTORY NAME VERB...: DIRECTORY becomes the root, the old one is taken away. */
static int run_via_root(int argc, char **argv)
{
	int r = enter_namespace();

	if (r)
		return r;
	if (mount(argv[1], argv[1], NULL, MS_BIND | MS_REC, NULL) < 0 || chdir(argv[1]) < 0 ||
	    syscall(SYS_pivot_root, ".", ".") < 0 || umount2(".", MNT_DETACH) < 0)
		return -errno;
	return run_on("/", argv[2], argc - 3, argv + 3);
}

/*
 * argv: via-overlay LOWER UPPER AT NAME VERB...: an overlay of the two at AT. UPPER "-": read-only
 * over LOWER alone; else its work directory is UPPER.work.
 */
static int run_via_overlay(int argc, char **argv)
{
	const char *more = geteuid() ? ",userxattr" : "";
	char options[1024];
	int r = enter_namespace();

	if (r)
		return r;
	if (!strcmp(argv[2], "-"))
		snprintf(options, sizeof(options), "lowerdir=%s:%s%s", argv[1], argv[3], more);
	else
		snprintf(options, sizeof(options), "lowerdir=%s,upperdir=%s,workdir=%s.work%s",
			 argv[1], argv[2], argv[2], more);
	if (mount("none", argv[3], "overlay", 0, options) < 0)
		return -errno;
	return run_on(argv[3], argv[4], argc - 5, argv + 5);
}

static int set_option(int fd, const char *key, const char *value)
{
	return syscall(SYS_fsconfig, fd, 1 /* FSCONFIG_SET_STRING */, key, value, 0);
}

/* argv: via-detached-overlay LOWER OTHER NAME VERB...: one that is attached nowhere. */
static int run_via_detached_overlay(int argc, char **argv)
{
	OWNED_FD int fs = -1, mounted = -1;
	char lower[512], at[64];
	int r = enter_namespace();

	if (r)
		return r;
	snprintf(lower, sizeof(lower), "%s:%s", argv[1], argv[2]);
	fs = syscall(SYS_fsopen, "overlay", 0);
	if (fs < 0 || set_option(fs, "lowerdir", lower) < 0 ||
	    syscall(SYS_fsconfig, fs, 6 /* FSCONFIG_CMD_CREATE */, NULL, NULL, 0) < 0)
		return -errno;
	mounted = syscall(SYS_fsmount, fs, 0, 0);
	if (mounted < 0)
		return -errno;
	snprintf(at, sizeof(at), "/proc/self/fd/%d", mounted);
	return run_on(at, argv[3], argc - 4, argv + 4);
}

/* argv: via-new TYPE AT NAME VERB...: another mount of a file system of the kernel's at AT. */
static int run_via_new(int argc, char **argv)
{
	int r = enter_namespace();

	if (r)
		return r;
	if (mount("none", argv[2], argv[1], 0, NULL) < 0)
		return untried("mount %s: %s", argv[1], strerror(errno));
	return run_on(argv[2], argv[3], argc - 4, argv + 4);
}

static int send_directory(int socket, const char *path)
{
	OWNED_FD int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -1 : fd_send(socket, fd);
}

/*
 * argv: via-passed-bind DIRECTORY AT NAME VERB...: a child binds DIRECTORY in its namespace and
 * passes the directory AT to the parent, which has stayed where it was.
 */
static int run_via_passed_bind(int argc, char **argv)
{
	OWNED_FD int fd = -1;
	int ends[2], status;
	char at[64];
	pid_t pid;
	bool cut;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return untried("socketpair: %s", strerror(errno));
	pid = fork();
	if (pid == 0)
		_exit(enter_namespace() ||
		      mount(argv[1], argv[2], NULL, MS_BIND | MS_REC, NULL) < 0 ||
		      send_directory(ends[1], argv[2]) < 0);
	close(ends[1]);
	fd = pid < 0 ? -1 : fd_receive(ends[0], &cut);
	close(ends[0]);
	if (pid > 0)
		waitpid(pid, &status, 0);
	if (fd < 0)
		return untried("no directory was passed");
	snprintf(at, sizeof(at), "/proc/self/fd/%d", fd);
	return run_on(at, argv[3], argc - 4, argv + 4);
}

/* argv: mount SOURCE AT: a bind mount where this process is. Undone at once. */
static int run_mount(int argc, char **argv)
{
	(void)argc;
	if (mount(argv[1], argv[2], NULL, MS_BIND, NULL) < 0)
		return -errno;
	umount2(argv[2], MNT_DETACH);
	return 0;
}

/* argv: mount-shared SOURCE AT: a bind mount in a namespace whose mounts are still shared. */
static int run_mount_shared(int argc, char **argv)
{
	if (unshare(CLONE_NEWNS) < 0)
		return untried("unshare: %s", strerror(errno));
	return run_mount(argc, argv);
}

static int run_user_namespace(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return outcome(unshare(CLONE_NEWUSER));
}

const struct verb mount_verbs[] = {
	{ "via-bind", "DIRECTORY AT NAME VERB...", 4, -1, run_via_bind },
	{ "via-tree", "DIRECTORY NAME VERB...", 3, -1, run_via_tree },
	{ "via-moved-tree", "DIRECTORY AT NAME VERB...", 4, -1, run_via_moved_tree },
	{ "via-root", "DIRECTORY NAME VERB...", 3, -1, run_via_root },
	{ "via-overlay", "LOWER UPPER|- AT NAME VERB...", 5, -1, run_via_overlay },
	{ "via-detached-overlay", "LOWER OTHER NAME VERB...", 4, -1, run_via_detached_overlay },
	{ "via-new", "TYPE AT NAME VERB...", 4, -1, run_via_new },
	{ "via-passed-bind", "DIRECTORY AT NAME VERB...", 4, -1, run_via_passed_bind },
	{ "mount", "SOURCE AT", 2, 2, run_mount },
	{ "mount-shared", "SOURCE AT", 2, 2, run_mount_shared },
	{ "user-namespace", "", 0, 0, run_user_namespace },
	{ 0 },
};
