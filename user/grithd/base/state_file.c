/* SPDX-License-Identifier: MPL-2.0 */
/* A new file beside the old one, and one rename. */
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include "lib/base/base.h"
#include "state_file.h"

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

int state_save(int directory, const char *name, const json_t *json)
{
	OWNED_MEM char *text = json_dumps(json, JSON_INDENT(1));

	return text ? small_file_write(directory, name, 0600, text, strlen(text)) : -ENOMEM;
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
