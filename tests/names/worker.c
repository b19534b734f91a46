/* SPDX-License-Identifier: MPL-2.0 */
/* The process inside the session: it does what it is told, and says how it went. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/base.h"
#include "names.h"

static int status_of(int result)
{
	return result < 0 ? errno : 0;
}

static int open_and_close(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0777);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static int try(const char *op, const char *one, const char *other)
{
	if (!strcmp(op, "rename"))
		return status_of(rename(one, other));
	if (!strcmp(op, "exchange"))
		return status_of(renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE));
	if (!strcmp(op, "link"))
		return status_of(link(one, other));
	if (!strcmp(op, "symlink"))
		return status_of(symlink(one, other));
	if (!strcmp(op, "create"))
		return open_and_close(other, O_WRONLY | O_CREAT | O_EXCL);
	if (!strcmp(op, "mkdir"))
		return status_of(mkdir(other, 0777));
	if (!strcmp(op, "delete"))
		return status_of(remove(one));
	if (!strcmp(op, "read"))
		return open_and_close(one, O_RDONLY);
	if (!strcmp(op, "write"))
		return open_and_close(one, O_WRONLY);
	return EINVAL;
}

int worker(void)
{
	char op[16], one[PATH_MAX + 1], other[PATH_MAX + 1];

	umask(0);
	while (scanf("%15s %4096s %4096s", op, one, other) == 3) {
		printf("%d\n", try(op, one, other));
		fflush(stdout);
	}
	return 0;
}
