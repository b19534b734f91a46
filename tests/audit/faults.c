/* SPDX-License-Identifier: MPL-2.0 */
/*
 * fsync() is counted but not made: a process that is killed leaves what it wrote, and the tests are
 * about that, not about the loss of power.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "faults.h"

#define FULL_FOR 12 /* calls that fail while the disk is full */

static struct {
	enum fault_kind kind;
	unsigned int k, calls;
} faults;

ssize_t __real_write(int fd, const void *data, size_t length);
ssize_t __real_pwrite(int fd, const void *data, size_t length, off_t offset);
int __real_openat(int directory, const char *name, int flags, ...);
int __real_renameat(int from, const char *old, int to, const char *new);
int __real_renameat2(int from, const char *old, int to, const char *new, unsigned int flags);
int __real_unlinkat(int directory, const char *name, int flags);
int __real_ftruncate(int fd, off_t length);

ssize_t __wrap_write(int fd, const void *data, size_t length);
ssize_t __wrap_pwrite(int fd, const void *data, size_t length, off_t offset);
int __wrap_openat(int directory, const char *name, int flags, ...);
int __wrap_renameat(int from, const char *old, int to, const char *new);
int __wrap_renameat2(int from, const char *old, int to, const char *new, unsigned int flags);
int __wrap_unlinkat(int directory, const char *name, int flags);
int __wrap_ftruncate(int fd, off_t length);
int __wrap_fsync(int fd);

void faults_set(enum fault_kind kind, unsigned int k)
{
	faults.kind = kind;
	faults.k = k;
	faults.calls = 0;
}

unsigned int faults_calls(void)
{
	return faults.calls;
}

static void die(void)
{
	kill(getpid(), SIGKILL);
}

/* What happens to this call: FAULT_NONE for most. */
static enum fault_kind next(void)
{
	unsigned int call = ++faults.calls;

	if (faults.kind == FAULT_NO_SPACE && call > faults.k && call < faults.k + FULL_FOR)
		return FAULT_NO_SPACE;
	if (call != faults.k)
		return FAULT_NONE;
	if (faults.kind == FAULT_KILL_BEFORE)
		die();
	return faults.kind;
}

static bool fails(enum fault_kind kind)
{
	if (kind == FAULT_KILL_WITHIN)
		die();
	errno = kind == FAULT_NO_SPACE ? ENOSPC : EIO;
	return kind == FAULT_NO_SPACE || kind == FAULT_IO;
}

ssize_t __wrap_write(int fd, const void *data, size_t length)
{
	enum fault_kind kind = next();

	if (kind == FAULT_KILL_WITHIN || kind == FAULT_SHORT) {
		ssize_t n = __real_write(fd, data, length > 1 ? length / 2 : length);

		if (kind == FAULT_KILL_WITHIN)
			die();
		return n;
	}
	if (fails(kind))
		return -1;
	return __real_write(fd, data, length);
}

/* The kernel copies a page as one, so that half of a small one is never seen after a kill. */
ssize_t __wrap_pwrite(int fd, const void *data, size_t length, off_t offset)
{
	enum fault_kind kind = next();

	if (fails(kind))
		return -1;
	return __real_pwrite(fd, data, length, offset);
}

int __wrap_openat(int directory, const char *name, int flags, ...)
{
	mode_t mode = 0;
	enum fault_kind kind;

	if (flags & O_CREAT) {
		va_list arguments;

		va_start(arguments, flags);
		mode = va_arg(arguments, mode_t);
		va_end(arguments);
	}
	if (!(flags & O_CREAT)) /* reading changes nothing */
		return __real_openat(directory, name, flags);
	kind = next();
	return fails(kind) ? -1 : __real_openat(directory, name, flags, mode);
}

int __wrap_renameat(int from, const char *old, int to, const char *new)
{
	return fails(next()) ? -1 : __real_renameat(from, old, to, new);
}

int __wrap_renameat2(int from, const char *old, int to, const char *new, unsigned int flags)
{
	return fails(next()) ? -1 : __real_renameat2(from, old, to, new, flags);
}

int __wrap_unlinkat(int directory, const char *name, int flags)
{
	return fails(next()) ? -1 : __real_unlinkat(directory, name, flags);
}

int __wrap_ftruncate(int fd, off_t length)
{
	return fails(next()) ? -1 : __real_ftruncate(fd, length);
}

int __wrap_fsync(int fd)
{
	(void)fd;
	return fails(next()) ? -1 : 0;
}
