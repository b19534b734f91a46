/* SPDX-License-Identifier: MPL-2.0 */
/* Replaced by a rename in one directory; fsync() of the file before it, of the directory after. */
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include "small_file.h"

int read_to_end(int fd, size_t max, struct text *out)
{
	const size_t start = out->length;
	char chunk[16384];
	int r = text_add(out, "", 0);
	ssize_t n;

	while (r == 0 && (n = read(fd, chunk, sizeof(chunk))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (out->length - start + (size_t)n > max)
			return -EFBIG;
		r = text_add(out, chunk, (size_t)n);
	}
	return r;
}

int small_file_read(int directory, const char *name, size_t max, struct text *out)
{
	OWNED_FD int fd = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	return S_ISREG(st.st_mode) ? read_to_end(fd, max, out) : -EBADMSG;
}

int write_all(int fd, const char *data, size_t length)
{
	while (length) {
		ssize_t n = write(fd, data, length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		data += n;
		length -= n;
	}
	return 0;
}

static int write_part(int directory, const char *part, mode_t mode, const char *data, size_t length)
{
	OWNED_FD int fd = openat(directory, part,
				 O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode);
	int r;

	if (fd < 0)
		return -errno;
	r = write_all(fd, data, length);
	return r == 0 && fsync(fd) < 0 ? -errno : r;
}

int small_file_write(int directory, const char *name, mode_t mode, const char *data, size_t length)
{
	char part[NAME_MAX + 1];
	int r;

	if ((size_t)snprintf(part, sizeof(part), "%s.part", name) >= sizeof(part))
		return -ENAMETOOLONG;
	r = write_part(directory, part, mode, data, length);
	if (r == 0 && renameat(directory, part, directory, name) < 0)
		r = -errno;
	if (r < 0) {
		unlinkat(directory, part, 0);
		return r;
	}
	return fsync(directory) < 0 ? -errno : 0;
}
