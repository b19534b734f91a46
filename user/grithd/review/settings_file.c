/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Done by a child with the rights of the user, since paths and file systems are the agent's: it may
 * take long, and fail, and nothing of it is grithd's. It writes what it read to a memory file.
 */
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <linux/openat2.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "settings_file.h"

#define SETTINGS_MAX 65536 /* bytes of one file; git's own are some hundreds */
#define WAIT_MS 500 /* for a file system that does not answer */
#define NOBODY 65534 /* gid of the child, which reads files as their owner or not at all */

/* What the child needs; made before it is, so that it allocates nothing. */
struct request {
	int mounts; /* the mount namespace */
	int out;
	uid_t uid;
	ino_t inode;
	const char *fresh, *old;
};

/*
 * A regular file, and no other: opening a device or a pipe could do something. A path of the record
 * has no symbolic links; where there is one now, it leads elsewhere. -errno.
 */
static int open_file(const char *path, struct stat *ret_st)
{
	const struct open_how how = {
		.flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
		.resolve = RESOLVE_NO_SYMLINKS,
	};
	int fd = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how));

	if (fd < 0)
		return -errno;
	if (fstat(fd, ret_st) < 0 || !S_ISREG(ret_st->st_mode)) {
		close(fd);
		return -EINVAL;
	}
	return fd;
}

/* Copies the file, with its length before it. */
static int copy(int out, int fd)
{
	char bytes[SETTINGS_MAX + 1];
	uint32_t length = 0;

	while (fd >= 0 && length < sizeof(bytes)) {
		ssize_t n = read(fd, bytes + length, sizeof(bytes) - length);

		if (n < 0)
			return -errno;
		if (!n)
			break;
		length += (uint32_t)n;
	}
	if (length > SETTINGS_MAX)
		return -E2BIG;
	return write_all(out, (const char *)&length, sizeof(length))
		       ?: write_all(out, bytes, length);
}

/*
 * A lease for reading is given only where nobody has the file open for writing, and opens for
 * writing that come now are held (fcntl(2), "Leases"). What is read is what will be renamed.
 */
static int read_fresh(const struct request *request)
{
	struct stat st;
	OWNED_FD int fd = open_file(request->fresh, &st);

	if (fd < 0)
		return fd;
	if (st.st_ino != request->inode)
		return -ESTALE;
	if (fcntl(fd, F_SETLEASE, F_RDLCK) < 0)
		return -errno;
	return copy(request->out, fd);
}

static int read_old(const struct request *request)
{
	struct stat st;
	OWNED_FD int fd = open_file(request->old, &st);

	return copy(request->out, fd);
}

/* The exit status is the errno. */
static _Noreturn void run(const struct request *request)
{
	sigset_t none;
	int r;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (setns(request->mounts, CLONE_NEWNS) < 0)
		_exit(errno);
	if (setgroups(0, NULL) < 0 || setresgid(NOBODY, NOBODY, NOBODY) < 0 ||
	    setresuid(request->uid, request->uid, request->uid) < 0)
		_exit(EPERM);
	r = read_fresh(request) ?: read_old(request);
	_exit(-r);
}

/*
 * A file system of the user's own may keep even a killed process waiting: then it is left, and
 * collected by whoever waits for any child.
 */
static int end_of(pid_t pid)
{
	OWNED_FD int pidfd = pidfd_open(pid, 0);
	struct pollfd end = { .fd = pidfd, .events = POLLIN };
	bool ended = pidfd >= 0 && poll(&end, 1, WAIT_MS) == 1;
	int status;

	if (!ended)
		kill(pid, SIGKILL);
	if (waitpid(pid, &status, ended ? 0 : WNOHANG) != pid || !WIFEXITED(status))
		return -ETIMEDOUT;
	return -WEXITSTATUS(status);
}

static int take(const char **at, const char *end, struct text *text)
{
	uint32_t length;

	if ((size_t)(end - *at) < sizeof(length))
		return -EBADMSG;
	memcpy(&length, *at, sizeof(length));
	*at += sizeof(length);
	if ((size_t)(end - *at) < length)
		return -EBADMSG;
	*at += length;
	return text_add(text, *at - length, length);
}

static int take_both(int out, struct text *fresh, struct text *old)
{
	OWNED_TEXT struct text all = { 0 };
	const char *at;
	int r;

	if (lseek(out, 0, SEEK_SET) < 0)
		return -errno;
	r = read_to_end(out, 2 * (SETTINGS_MAX + sizeof(uint32_t)), &all);
	at = all.data;
	return r ?: take(&at, all.data + all.length, fresh)
		       ?: take(&at, all.data + all.length, old);
}

/*
 * The held process's mount namespace, which must be the session's: in one of its own it could have
 * put another file of the same inode number in the place of this one. -errno.
 */
static int open_mounts(uint32_t pid, uint64_t inode)
{
	OWNED_FD int fd = -1;
	char path[32];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%u/ns/mnt", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	return st.st_ino == inode ? TAKE_FD(fd) : -ESTALE;
}

int settings_file_read(const struct subject *subject, const struct session_info *session,
		       struct text *fresh, struct text *old)
{
	const struct record *record = &subject->record;
	OWNED_MEM char *new_name = strndup(record->path.data, record->path.length);
	OWNED_MEM char *old_name = strndup(record->second.data, record->second.length);
	OWNED_FD int mounts = open_mounts(record->head.pid, session->mounts);
	OWNED_FD int out = memfd_create("grith-settings", MFD_CLOEXEC);
	const struct request request = {
		mounts, out, session->uid, record->inode, new_name, old_name,
	};
	pid_t pid;
	int r;

	if (mounts < 0)
		return mounts;
	if (out < 0)
		return -errno;
	if (!new_name || !old_name)
		return -ENOMEM;
	pid = fork();
	if (pid < 0)
		return -errno;
	if (pid == 0)
		run(&request);
	r = end_of(pid);
	return r ?: take_both(out, fresh, old);
}
