/* SPDX-License-Identifier: MPL-2.0 */
/* Links are followed, because rules and records are about objects, not about ways to them. */
#include "lib/base/base.h"
#include "absolute.h"

/* For a path whose last component is not there: that of the directory, and the component. */
static int absolute_new(const char *path, char **ret_path)
{
	const char *slash = strrchr(path, '/'), *last = slash ? slash + 1 : path;
	OWNED_MEM char *above = slash ? strndup(path, slash - path + 1) : strdup(".");
	OWNED_MEM char *directory = NULL;
	char *whole;

	if (!above)
		return -ENOMEM;
	if (!*last || !strcmp(last, ".") || !strcmp(last, ".."))
		return -ENOENT;
	directory = realpath(above, NULL);
	if (!directory)
		return -errno;
	if (asprintf(&whole, "%s/%s", directory[1] ? directory : "", last) < 0)
		return -ENOMEM;
	*ret_path = whole;
	return 0;
}

int absolute_path(const char *path, char **ret_path)
{
	char *whole = realpath(path, NULL);

	if (!whole)
		return errno == ENOENT ? absolute_new(path, ret_path) : -errno;
	*ret_path = whole;
	return 0;
}
