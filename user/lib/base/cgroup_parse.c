/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The texts of procfs and cgroupfs. Reads no file.
 */
#include <string.h>

#include "cgroup.h"

/* mountinfo writes blank, tab, newline and backslash as \ooo. In place. */
static void unescape(char *s)
{
	char *out = s;

	for (; *s; s++)
		if (s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] && s[3]) {
			*out++ = (s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0');
			s += 3;
		} else {
			*out++ = *s;
		}
	*out = '\0';
}

/* ID PARENT DEVICE ROOT MOUNTPOINT OPTIONS [TAG]... - TYPE SOURCE OPTIONS */
static char *whole_cgroup2(char *line)
{
	char *separator = strstr(line, " - "), *field[5] = { NULL };

	if (!separator || strncmp(separator, " - cgroup2 ", 11))
		return NULL;
	*separator = '\0';
	for (int i = 0; i < 5; i++)
		field[i] = strsep(&line, " ");
	/* One that shows a part of the hierarchy only is of no use. */
	return field[4] && !strcmp(field[3], "/") ? field[4] : NULL;
}

int cgroup_parse_mountinfo(const char *text, char **ret_mount)
{
	OWNED_MEM char *copy = strdup(text);
	char *next = copy, *mount;

	if (!copy)
		return -ENOMEM;
	for (char *line; (line = strsep(&next, "\n"));) {
		mount = whole_cgroup2(line);
		if (!mount)
			continue;
		unescape(mount);
		mount = strdup(mount);
		if (!mount)
			return -ENOMEM;
		*ret_mount = mount;
		return 0;
	}
	return -ENOENT;
}

/* The rest of the first line with this start and byte, from the byte on; NULL: there is none. */
static const char *find_line(const char *text, const char *start, char byte)
{
	const size_t length = strlen(start);

	while (text && (strncmp(text, start, length) != 0 || text[length] != byte)) {
		text = strchr(text, '\n');
		text += text != NULL;
	}
	return text ? text + length : NULL;
}

int cgroup_parse_membership(const char *text, char **ret_path)
{
	const char *found = find_line(text, "0::", '/');
	char *path;

	if (!found)
		return -ENOENT;
	path = strndup(found, strcspn(found, "\n"));
	if (!path)
		return -ENOMEM;
	*ret_path = path;
	return 0;
}

int cgroup_parse_event(const char *text, const char *key, bool *ret_value)
{
	const char *value = find_line(text, key, ' ');

	if (!value)
		return -ENOENT;
	*ret_value = value[1] == '1';
	return 0;
}

unsigned int cgroup_level(const char *path)
{
	unsigned int level = 0;

	for (; *path; path++)
		if (*path == '/' && path[1] && path[1] != '/')
			level++;
	return level;
}
