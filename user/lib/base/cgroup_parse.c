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

int cgroup_parse_membership(const char *text, char **ret_path)
{
	for (const char *line = text; line; line = strchr(line, '\n')) {
		char *path;

		if (*line == '\n')
			line++;
		if (strncmp(line, "0::/", 4))
			continue;
		path = strndup(line + 3, strcspn(line + 3, "\n"));
		if (!path)
			return -ENOMEM;
		*ret_path = path;
		return 0;
	}
	return -ENOENT;
}

int cgroup_parse_event(const char *text, const char *key, bool *ret_value)
{
	size_t length = strlen(key);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		if (*line == '\n')
			line++;
		if (strncmp(line, key, length) || line[length] != ' ')
			continue;
		*ret_value = line[length + 1] == '1';
		return 0;
	}
	return -ENOENT;
}

unsigned int cgroup_level(const char *path)
{
	unsigned int level = 0;

	for (; *path; path++)
		if (*path == '/' && path[1] && path[1] != '/')
			level++;
	return level;
}
