/* SPDX-License-Identifier: MPL-2.0 */
/* A key is letters and '-'; a value is the rest of the line without the blanks around it. */
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>

#include "config.h"
#include "small_file.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Cuts blanks off both ends, in place. */
static char *trim(char *s)
{
	size_t length;

	while (is_blank(*s))
		s++;
	length = strlen(s);
	while (length && is_blank(s[length - 1]))
		s[--length] = '\0';
	return s;
}

static const char *parse_line(char *line, config_set_fn *set, void *arg)
{
	char *equals, *key, *value;

	line = trim(line);
	if (!*line || *line == '#')
		return NULL;
	equals = strchr(line, '=');
	if (!equals)
		return "expected: key = value";
	*equals = '\0';
	key = trim(line);
	value = trim(equals + 1);
	if (!*key || !*value)
		return "expected: key = value";
	return set(arg, key, value);
}

int config_parse(const char *name, const char *text, size_t length, config_set_fn *set, void *arg,
		 struct diag *diag)
{
	OWNED_MEM char *copy = NULL;
	unsigned int number = 1;
	bool wrong = false;
	char *next;

	if (memchr(text, '\0', length)) {
		diag_add(diag, name, 0, 0, "not a text file: it has a NUL byte");
		return -EINVAL;
	}
	copy = strndup(text, length);
	if (!copy)
		return -ENOMEM;
	next = copy;
	for (char *line; (line = strsep(&next, "\n")); number++) {
		const char *why = parse_line(line, set, arg);

		if (why) {
			diag_add(diag, name, number, 0, "%s", why);
			wrong = true;
		}
	}
	return wrong ? -EINVAL : 0;
}

int config_read(const char *path, config_set_fn *set, void *arg, struct diag *diag)
{
	OWNED_FD int fd = open(path, O_RDONLY | O_CLOEXEC);
	OWNED_TEXT struct text text = { 0 };
	int r = fd < 0 ? -errno : read_to_end(fd, CONFIG_TEXT_MAX, &text);

	return r < 0 ? r : config_parse(path, text.data, text.length, set, arg, diag);
}
