/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Names of files as bytes. Opens no file: links are the kernel's to follow.
 */
#include "lib/base/base.h"
#include "place.h"

const char *place_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static const char *last_component(const char *path, size_t length, size_t *ret_length)
{
	const char *slash = length ? memrchr(path, '/', length) : NULL;

	*ret_length = slash ? length - (size_t)(slash + 1 - path) : length;
	return slash ? slash + 1 : path;
}

bool place_has_name(const char *path, size_t length, const char *name)
{
	size_t n;
	const char *last = last_component(path, length, &n);

	return n == strlen(name) && memcmp(last, name, n) == 0;
}

bool place_has_part(const char *path, size_t length, const char *part)
{
	const size_t n = strlen(part);
	const char *end = path + length;

	for (const char *p = path; length && (p = memmem(p, end - p, part, n)); p++)
		if ((p == path || p[-1] == '/') && (p + n == end || p[n] == '/'))
			return true;
	return false;
}

static bool ends_with(const char *text, size_t length, const char *end)
{
	size_t n = strlen(end);

	return length >= n && memcmp(text + length - n, end, n) == 0;
}

bool place_is_env_file(const char *path, size_t length)
{
	static const char *const samples[] = {
		".example", ".sample", ".template", ".dist", ".defaults",
	};
	size_t n;
	const char *name = last_component(path, length, &n);

	if (n < 4 || memcmp(name, ".env", 4) != 0 || (n > 4 && name[4] != '.'))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++)
		if (ends_with(name, n, samples[i]))
			return false;
	return true;
}

bool place_is_ssh_key(const char *path, size_t length)
{
	size_t n;
	const char *name = last_component(path, length, &n);

	return n > 3 && memcmp(name, "id_", 3) == 0 && !ends_with(name, n, ".pub") &&
	       ends_with(path, length - n, "/.ssh/");
}

bool place_is_block_device(const char *path)
{
	/* Documentation/admin-guide/devices.txt, and the names that udev adds. */
	static const char *const prefixes[] = {
		"sd",	"hd",  "vd",	  "xvd",   "nvme",   "mmcblk", "md", "dm-",
		"loop", "nbd", "mapper/", "disk/", "block/", "pmem",   "zd", "bcache",
	};
	const char *name;

	if (strncmp(path, "/dev/", 5) != 0)
		return false;
	name = path + 5;
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

/* Takes the last component off what was written so far. */
static size_t go_up(const char *path, size_t length)
{
	while (length > 1 && path[length - 1] != '/')
		length--;
	return length > 1 ? length - 1 : length;
}

void place_normalise(const char *path, size_t length, char *ret_path)
{
	bool absolute = length && path[0] == '/';
	size_t to = 0, from = 0;

	if (absolute)
		ret_path[to++] = '/';
	while (from < length) {
		size_t start = from, n;

		while (from < length && path[from] != '/')
			from++;
		n = from - start;
		from++;
		if (!n || (n == 1 && path[start] == '.'))
			continue;
		if (n == 1 && path[start] == '*' && from >= length)
			continue;
		if (absolute && n == 2 && !memcmp(path + start, "..", 2)) {
			to = go_up(ret_path, to);
			continue;
		}
		if (to && ret_path[to - 1] != '/')
			ret_path[to++] = '/';
		memcpy(ret_path + to, path + start, n);
		to += n;
	}
	ret_path[to] = '\0';
}
