/* SPDX-License-Identifier: MPL-2.0 */
/* A new file beside the old one, and one rename. */
#include <fcntl.h>
#include <sys/stat.h>

#include "state_file.h"

#define FILE_MAX (64u << 20) /* bytes that are read */
#define VERSION 1

static bool is_private(int fd, mode_t type, struct stat *ret_st)
{
	return fstat(fd, ret_st) == 0 && (ret_st->st_mode & S_IFMT) == type &&
	       ret_st->st_uid == geteuid() && !(ret_st->st_mode & 022);
}

static int open_directory(int parent, const char *name, int *ret_fd)
{
	OWNED_FD int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return -errno;
	if (!is_private(fd, S_IFDIR, &st))
		return -EPERM;
	*ret_fd = TAKE_FD(fd);
	return 0;
}

int state_directory_open(int parent, const char *name, int *ret_fd)
{
	if (mkdirat(parent, name, 0700) < 0 && errno != EEXIST)
		return -errno;
	return open_directory(parent, name, ret_fd);
}

int state_open(const char *directory, const char *name, int *ret_fd)
{
	OWNED_FD int parent = -1;
	int r = open_directory(AT_FDCWD, directory, &parent);

	if (r < 0 || name)
		return r < 0 ? r : state_directory_open(parent, name, ret_fd);
	*ret_fd = TAKE_FD(parent);
	return 0;
}

struct state_name state_name(const char *id)
{
	struct state_name name;

	snprintf(name.text, sizeof(name.text), "%.*s.json", SESSION_ID_LENGTH, id);
	return name;
}

int state_save(int directory, const char *name, const json_t *json, size_t flags)
{
	OWNED_MEM char *text = json ? json_dumps(json, flags) : NULL;

	return text ? small_file_write(directory, name, 0600, text, strlen(text)) : -ENOMEM;
}

int state_save_field(int directory, const char *name, const char *field, json_t *value)
{
	json_t *json = value ? json_pack("{s:i, s:o}", "v", VERSION, field, value) : NULL;
	int r = state_save(directory, name, json, JSON_INDENT(1));

	json_decref(json);
	return r;
}

int state_load(int directory, const char *name, json_t **ret_json)
{
	OWNED_FD int fd = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct stat st;
	json_t *json;

	if (fd < 0)
		return -errno;
	if (!is_private(fd, S_IFREG, &st) || st.st_size > FILE_MAX)
		return -EBADMSG;
	json = json_loadfd(fd, JSON_REJECT_DUPLICATES, NULL);
	if (!json)
		return -EBADMSG;
	*ret_json = json;
	return 0;
}

int state_load_field(int directory, const char *name, const char *field, json_t **ret_value)
{
	json_t *json = NULL;
	int r = state_load(directory, name, &json);

	if (r == 0 && json_integer_value(json_object_get(json, "v")) != VERSION)
		r = -EBADMSG;
	*ret_value = r == 0 ? json_incref(json_object_get(json, field)) : NULL;
	if (r == 0 && !*ret_value)
		r = -EBADMSG;
	json_decref(json);
	return r == -ENOENT ? 0 : r;
}
