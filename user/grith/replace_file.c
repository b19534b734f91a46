/* SPDX-License-Identifier: MPL-2.0 */
/* A temporary name in the same directory, so that the rename cannot cross a file system. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "cleanup.h"
#include "replace_file.h"

static int write_all(int fd, const char *bytes, size_t length)
{
	while (length) {
		ssize_t n = write(fd, bytes, length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		bytes += n;
		length -= (size_t)n;
	}
	return 0;
}

/* mkostemp() makes files that only the owner reads. */
static int give_mode(int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	return fchmod(fd, 0666 & ~mask) < 0 ? -errno : 0;
}

int replace_file(const char *path, const char *bytes, size_t length)
{
	OWNED_MEM char *temporary = NULL;
	OWNED_FD int fd = -1;
	int r;

	if (asprintf(&temporary, "%s.XXXXXX", path) < 0) {
		temporary = NULL;
		return -ENOMEM;
	}
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	r = write_all(fd, bytes, length);
	if (r == 0)
		r = give_mode(fd);
	if (r == 0 && rename(temporary, path) < 0)
		r = -errno;
	if (r < 0)
		unlink(temporary);
	return r;
}
