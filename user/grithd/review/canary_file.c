/* SPDX-License-Identifier: MPL-2.0 */
/* What a child does that has become the user: a few system calls on one file. */
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "canaries.h"

int plant_value(char ret_value[PLANT_VALUE_SIZE])
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789-_";
	unsigned char bytes[PLANT_VALUE_SIZE - 1];

	_Static_assert(sizeof(letters) == 64 + 1, "every byte is one of 64 letters");
	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		return -EIO;
	for (size_t i = 0; i < sizeof(bytes); i++)
		ret_value[i] = letters[bytes[i] % 64];
	ret_value[sizeof(bytes)] = '\0';
	return 0;
}

static int write_value(int fd, const char *value)
{
	size_t length = strlen(value);

	if (write(fd, value, length) != (ssize_t)length || write(fd, "\n", 1) != 1)
		return errno ? errno : EIO;
	return 0;
}

/*
 * The directory that a path lies in, and its last name: all that follows is done in that directory,
 * by its descriptor, so that replacing it meanwhile (TOCTOU) changes nothing.
 */
static int open_parent(const char *path, const char **ret_name)
{
	const char *slash = strrchr(path, '/');
	OWNED_MEM char *parent = NULL;

	if (!slash)
		return -1;
	*ret_name = slash + 1;
	parent = strndup(path, slash > path ? (size_t)(slash - path) : 1);
	return parent ? open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
}

static int plant_new(int directory, const char *name, const char *value)
{
	int fd =
		openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	return fd < 0 ? errno : write_value(fd, value);
}

static int has_value(int fd, const char *value)
{
	char found[PROTO_CANARY_MAX + 2];
	ssize_t n = read(fd, found, sizeof(found));
	size_t length = strlen(value);

	if (n < 0)
		return errno;
	return (size_t)n == length + 1 && !memcmp(found, value, length) && found[length] == '\n'
		       ? 0
		       : ESTALE;
}

/* Whether the name still leads to the inode that was opened. */
static bool is_same(int directory, const char *name, int fd)
{
	struct stat opened, named;

	return fstat(fd, &opened) == 0 &&
	       fstatat(directory, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
	       opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

static int replace(int directory, const char *name, const char *old, const char *fresh)
{
	int fd = openat(directory, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	int error = fd < 0 ? errno : has_value(fd, old);

	if (error)
		return error;
	if (!fresh && !is_same(directory, name, fd))
		return ESTALE;
	if (!fresh)
		return unlinkat(directory, name, 0) < 0 ? errno : 0;
	if (ftruncate(fd, 0) < 0 || lseek(fd, 0, SEEK_SET) < 0)
		return errno;
	return write_value(fd, fresh);
}

int plant_file(const void *arg)
{
	const struct canary_change *change = arg;
	const char *name;
	OWNED_FD int directory = open_parent(change->path, &name);

	if (directory < 0)
		return errno ? -errno : -EINVAL;
	return change->old ? -replace(directory, name, change->old, change->fresh)
			   : -plant_new(directory, name, change->fresh);
}
