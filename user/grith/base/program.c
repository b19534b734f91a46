/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The search of PATH, done before anything is asked of grithd, so that a mistyped command makes no
 * session.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "lib/base/base.h"
#include "program.h"

#define DEFAULT_SEARCH "/bin:/usr/bin"

static int check(const char *path)
{
	struct stat status;

	if (stat(path, &status) < 0)
		return errno == ENOTDIR ? -ENOENT : -errno;
	if (!S_ISREG(status.st_mode))
		return -EACCES;
	return faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) < 0 ? -errno : 0;
}

int program_find(const char *name, const char *search, char **ret_path)
{
	const char *directory = search ? search : DEFAULT_SEARCH;
	int result = -ENOENT;

	if (!*name)
		return -ENOENT;
	if (strchr(name, '/')) {
		result = check(name);
		if (result < 0)
			return result;
		*ret_path = strdup(name);
		return *ret_path ? 0 : -ENOMEM;
	}
	for (;; directory++) {
		size_t length = strcspn(directory, ":");
		OWNED_TEXT struct text path = { 0 };
		int r;

		/* An empty directory in PATH is the current one. */
		r = length ? text_addf(&path, "%.*s/%s", (int)length, directory, name)
			   : text_addf(&path, "./%s", name);
		if (r < 0)
			return r;
		r = check(path.data);
		if (r == 0) {
			*ret_path = TAKE_PTR(path.data);
			return 0;
		}
		/* A directory that cannot be searched is no program that cannot be run. */
		if (r == -EACCES && access(path.data, F_OK) == 0)
			result = r;
		directory += length;
		if (!*directory)
			return result;
	}
}
