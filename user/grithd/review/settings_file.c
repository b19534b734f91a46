/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Done by a child with the rights of the user, since paths and file systems are the agent's. It
 * writes what it read to a memory file.
 */
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "settings_file.h"

#define SETTINGS_MAX 65536 /* bytes of one file; git's own are some hundreds */
#define WAIT_MS 3000 /* for a file system that does not answer; the process is held for so long */
#define NOBODY 65534 /* gid of the child, which reads files as their owner or not at all */

struct settings_read {
	struct user_child *child;
	settings_fn *fn;
	void *arg;
	int out; /* what the child has read */
	ino_t inode;
	char *fresh, *old; /* paths */
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
static int copy_fresh(const struct settings_read *reading)
{
	struct stat st;
	OWNED_FD int fd = open_file(reading->fresh, &st);

	if (fd < 0)
		return fd;
	if (st.st_ino != reading->inode)
		return -ESTALE;
	if (fcntl(fd, F_SETLEASE, F_RDLCK) < 0)
		return -errno;
	return copy(reading->out, fd);
}

static int copy_old(const struct settings_read *reading)
{
	struct stat st;
	OWNED_FD int fd = open_file(reading->old, &st);

	return copy(reading->out, fd);
}

static int copy_both(const void *arg)
{
	const struct settings_read *reading = arg;

	return copy_fresh(reading) ?: copy_old(reading);
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

void settings_read_free(struct settings_read *reading)
{
	if (!reading)
		return;
	user_child_free(reading->child);
	cleanup_close(&reading->out);
	free(reading->fresh);
	free(reading->old);
	free(reading);
}

static void on_done(void *arg, int r)
{
	OWNED_TEXT struct text fresh = { 0 }, old = { 0 };
	struct settings_read *reading = arg;

	r = r ?: take_both(reading->out, &fresh, &old);
	reading->fn(reading->arg, r, &fresh, &old);
}

static int fill_in(struct settings_read *reading, const struct record *record)
{
	reading->inode = record->inode;
	reading->fresh = strndup(record->path.data, record->path.length);
	reading->old = strndup(record->second.data, record->second.length);
	if (!reading->fresh || !reading->old)
		return -ENOMEM;
	reading->out = memfd_create("grith-settings", MFD_CLOEXEC);
	return reading->out < 0 ? -errno : 0;
}

int settings_read_start(sd_event *event, const struct subject *subject,
			const struct session_info *session, settings_fn *fn, void *arg,
			struct settings_read **ret_reading)
{
	CLEANUP(settings_read_freep) struct settings_read *reading = calloc(1, sizeof(*reading));
	OWNED_FD int mounts = open_mounts(subject->record.head.pid, session->mounts);
	const struct user_rights rights = { mounts, session->uid, NOBODY };
	int r;

	if (!reading)
		return -ENOMEM;
	reading->fn = fn;
	reading->arg = arg;
	reading->out = -1;
	r = mounts < 0 ? mounts : fill_in(reading, &subject->record);
	r = r
		    ?: user_child_start(event, &rights, copy_both, reading, WAIT_MS, on_done,
					reading, &reading->child);
	if (r == 0)
		*ret_reading = TAKE_PTR(reading);
	return r;
}
