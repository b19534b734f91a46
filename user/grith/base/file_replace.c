/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A temporary name in the same directory, for a rename must not cross file systems; one that cannot
 * be guessed, for others may write to the directory. small_file_write() is for directories of ours.
 */
#include <fcntl.h>

#include "lib/base/base.h"
#include "file_replace.h"

static int write_new(int *fd, const char *data, size_t length)
{
	int r = write_all(*fd, data, length);

	if (r == 0 && fsync(*fd) < 0)
		r = -errno;
	/* A full disk may be reported by close() only. */
	if (close(TAKE_FD(*fd)) < 0 && r == 0)
		r = -errno;
	return r;
}

int file_replace(const char *path, const char *data, size_t length)
{
	OWNED_TEXT struct text name = { 0 };
	OWNED_FD int fd = -1;
	int r = text_addf(&name, "%s.XXXXXX", path);

	if (r < 0)
		return r;
	fd = mkostemp(name.data, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	r = write_new(&fd, data, length);
	if (r == 0 && rename(name.data, path) < 0)
		r = -errno;
	if (r < 0)
		unlink(name.data);
	return r;
}
