/* SPDX-License-Identifier: MPL-2.0 */
/*
 * One buffer; what was taken is overwritten by moving the rest down before the next read.
 */
#include <string.h>

#include "lines.h"

#define READ_AT_ONCE 16384

static int make_room(struct lines *lines, size_t max)
{
	size_t held = lines_held(lines), size;
	char *data;

	if (lines->start) {
		memmove(lines->data, lines->data + lines->start, held);
		lines->looked -= lines->start;
		lines->start = 0;
		lines->end = held;
	}
	if (held > max)
		return -EMSGSIZE;
	if (lines->size - held >= READ_AT_ONCE)
		return 0;
	size = held * 2 < READ_AT_ONCE * 2 ? READ_AT_ONCE * 2 : held * 2;
	data = realloc(lines->data, size);
	if (!data)
		return -ENOMEM;
	lines->data = data;
	lines->size = size;
	return 0;
}

int lines_read(struct lines *lines, int fd, size_t max)
{
	ssize_t n;
	int r = make_room(lines, max);

	if (r < 0)
		return r;
	do
		n = read(fd, lines->data + lines->end, READ_AT_ONCE);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	lines->end += n;
	return n;
}

bool lines_next(struct lines *lines, char **ret_line, size_t *ret_length)
{
	char *newline = NULL;

	if (lines->looked < lines->end)
		newline = memchr(lines->data + lines->looked, '\n', lines->end - lines->looked);
	if (!newline) {
		lines->looked = lines->end;
		return false;
	}
	*newline = '\0';
	*ret_line = lines->data + lines->start;
	*ret_length = newline - *ret_line;
	lines->start = lines->looked = newline + 1 - lines->data;
	return true;
}

void lines_free(struct lines *lines)
{
	free(lines->data);
	*lines = (struct lines) { 0 };
}
