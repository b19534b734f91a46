/* SPDX-License-Identifier: MPL-2.0 */
/* A rule is shown by the line it begins in. */
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include "internal.h"

/* A file of that directory that root wrote. NULL: there is none. */
static FILE *open_file(const char *directory, const char *name)
{
	OWNED_FD int parent = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	OWNED_FD int fd = -1;
	struct stat st;
	FILE *file;

	if (parent < 0 || strchr(name, '/'))
		return NULL;
	fd = openat(parent, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
	    (st.st_mode & 022))
		return NULL;
	file = fdopen(fd, "r");
	if (file)
		fd = -1;
	return file;
}

static int read_line(FILE *file, uint64_t number, struct text *ret_text)
{
	OWNED_MEM char *line = NULL;
	size_t size = 0, start, end;
	ssize_t n = 0;

	while (number && (n = getline(&line, &size, file)) >= 0)
		number--;
	if (number || n < 0)
		return -ENOENT;
	start = strspn(line, " \t-");
	end = (size_t)n;
	while (end > start && strchr(" \t\r\n", line[end - 1]))
		end--;
	return end > start ? text_add(ret_text, line + start, end - start) : -ENOENT;
}

int rule_text_read(const char *directory, const char *rule, struct text *ret_text)
{
	OWNED_FILE FILE *file = NULL;
	const char *colon = strrchr(rule, ':');
	char name[NAME_MAX + 1];
	uint64_t line;

	if (!colon || colon == rule || (size_t)(colon - rule) >= sizeof(name) ||
	    text_parse_u64(colon + 1, POLICY_TEXT_MAX, &line) < 0 || !line)
		return -ENOENT;
	memcpy(name, rule, (size_t)(colon - rule));
	name[colon - rule] = '\0';
	file = open_file(directory, name);
	return file ? read_line(file, line, ret_text) : -ENOENT;
}
