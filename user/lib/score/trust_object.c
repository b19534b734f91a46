/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Which class an operation's object belongs to for learned trust: coarse enough that an answer
 * holds for the next operation, fine enough that it does not for another place.
 */
#include "place.h"
#include "trust.h"

/* `prefix`, and of the path behind it its first `components` names. */
static int class_of(const char *prefix, const char *path, size_t length, unsigned int components,
		    char ret_object[TRUST_OBJECT_MAX])
{
	size_t end = 0;
	int r;

	while (components && end < length) {
		end++;
		while (end < length && path[end] != '/')
			end++;
		components--;
	}
	if (memchr(path, '\0', end) || end >= TRUST_OBJECT_MAX)
		return -ENOENT;
	r = snprintf(ret_object, TRUST_OBJECT_MAX, "%s%.*s", prefix, (int)end, path);
	return r > 0 && r < TRUST_OBJECT_MAX ? 0 : -ENOENT;
}

static int path_class(const struct score_operation *o, char ret_object[TRUST_OBJECT_MAX])
{
	const char *path = o->path.data;
	size_t length = o->path.length;

	/* The directory counts, not the name in it. */
	while (length > 1 && path[length - 1] != '/')
		length--;
	if (length > 1)
		length--;
	if (path_is_below(o->path.data, o->path.length, o->project))
		return class_of("${PROJECT}", "", 0, 0, ret_object);
	if (path_is_below(path, length, o->home)) {
		size_t skip = strlen(o->home);

		return class_of("~", path + skip, length - skip, 1, ret_object);
	}
	return class_of("", path, length, 2, ret_object);
}

int trust_object(const struct score_operation *operation, char ret_object[TRUST_OBJECT_MAX])
{
	const char *host = operation->host ? operation->host : operation->shown_host;
	int r;

	if (operation->op == GRITH_OP_EXEC && operation->path.length)
		return class_of("", operation->path.data, operation->path.length, GRITH_PATH_MAX,
				ret_object);
	if (operation->path.length)
		return path_class(operation, ret_object);
	if (!host || !*host)
		return -ENOENT;
	r = snprintf(ret_object, TRUST_OBJECT_MAX, "%s:%u", host, (unsigned int)operation->port);
	return r > 0 && r < TRUST_OBJECT_MAX ? 0 : -ENOENT;
}
