/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What is held is the part of the file from `offset` to the end of the line that comes next. Its
 * first line may have begun in the chunk before, so it waits for that one.
 */
#include <string.h>

#include "lines_back.h"

#define CHUNK (64u << 10)

static int reserve(struct lines_back *lines, size_t size)
{
	char *larger;

	if (lines->size >= size)
		return 0;
	larger = realloc(lines->data, size);
	if (!larger)
		return -ENOMEM;
	lines->data = larger;
	lines->size = size;
	return 0;
}

int lines_back_read(struct lines_back *lines, int fd, size_t max)
{
	size_t n = lines->offset < (off_t)CHUNK ? (size_t)lines->offset : CHUNK;
	ssize_t got;
	int r;

	if (!n)
		return 0;
	if (lines->length > max)
		lines->length = 0;
	r = reserve(lines, lines->length + n);
	if (r < 0)
		return r;
	memmove(lines->data + n, lines->data, lines->length);
	got = pread(fd, lines->data, n, lines->offset - n);
	if (got != (ssize_t)n)
		return got < 0 ? -errno : -EIO;
	lines->offset -= n;
	lines->length += n;
	return 1;
}

/* At the end of the file there may be a line that has no end yet. */
static void drop_unfinished(struct lines_back *lines)
{
	const char *newline = memrchr(lines->data, '\n', lines->length);

	if (newline)
		lines->length = newline + 1 - lines->data;
	else if (!lines->offset)
		lines->length = 0;
}

bool lines_back_next(struct lines_back *lines, const char **ret_line, size_t *ret_length,
		     off_t *ret_at)
{
	const char *data = lines->data, *newline;
	size_t end, start;

	if (lines->length && data[lines->length - 1] != '\n')
		drop_unfinished(lines);
	if (!lines->length || data[lines->length - 1] != '\n')
		return false;
	end = lines->length - 1;
	newline = memrchr(data, '\n', end);
	if (!newline && lines->offset)
		return false;
	start = newline ? newline + 1 - data : 0;
	lines->length = start;
	*ret_line = data + start;
	*ret_length = end - start;
	*ret_at = lines->offset + start;
	return true;
}

void lines_back_free(struct lines_back *lines)
{
	free(lines->data);
	*lines = (struct lines_back) { 0 };
}
