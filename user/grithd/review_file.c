/* SPDX-License-Identifier: MPL-2.0 */
/* A new file beside the old one, and one rename. */
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "cleanup.h"
#include "review_file.h"

#define FILE_MAX (64u << 20) /* bytes that are read */

static int open_private(int parent, const char *name, int *ret_fd)
{
	OWNED_FD int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (st.st_uid != geteuid() || (st.st_mode & 022))
		return -EPERM;
	*ret_fd = TAKE_FD(fd);
	return 0;
}

int state_open(const char *directory, const char *name, int *ret_fd)
{
	OWNED_FD int parent = -1;
	int r = open_private(AT_FDCWD, directory, &parent);

	if (r < 0)
		return r;
	if (!name) {
		*ret_fd = TAKE_FD(parent);
		return 0;
	}
	if (mkdirat(parent, name, 0700) < 0 && errno != EEXIST)
		return -errno;
	return open_private(parent, name, ret_fd);
}

static int write_all(int fd, const char *data, size_t length)
{
	while (length) {
		ssize_t n = write(fd, data, length);

		if (n < 0)
			return -errno;
		data += n;
		length -= n;
	}
	return fsync(fd) < 0 ? -errno : 0;
}

int state_save(int directory, const char *name, const json_t *json)
{
	OWNED_MEM char *text = json_dumps(json, JSON_INDENT(1));
	OWNED_FD int fd = -1;
	char fresh[NAME_MAX + 1];
	int r;

	if (!text)
		return -ENOMEM;
	snprintf(fresh, sizeof(fresh), "%s.new", name);
	fd = openat(directory, fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return -errno;
	r = write_all(fd, text, strlen(text));
	if (r == 0 && renameat(directory, fresh, directory, name) < 0)
		r = -errno;
	if (r < 0)
		unlinkat(directory, fresh, 0);
	else if (fsync(directory) < 0)
		r = -errno;
	return r;
}

int state_load(int directory, const char *name, json_t **ret_json)
{
	OWNED_FD int fd = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct stat st;
	json_t *json;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & 022) ||
	    st.st_size > FILE_MAX)
		return -EBADMSG;
	json = json_loadfd(fd, JSON_REJECT_DUPLICATES, NULL);
	if (!json)
		return -EBADMSG;
	*ret_json = json;
	return 0;
}
