/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Lines out of a stream of bytes, read from a descriptor as it comes. Knows nothing of what the
 * lines mean.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "cleanup.h"

/* Starts as {0}. */
struct lines {
	char *data;
	size_t size;
	size_t start, end; /* what was read and not yet taken */
	size_t looked; /* no newline before this */
};

/*
 * Reads once. The number of bytes, 0 at the end of the stream, or a negative errno: -EAGAIN where
 * there is nothing now, -EMSGSIZE where there are `max` bytes of one line already.
 */
int lines_read(struct lines *lines, int fd, size_t max);

/*
 * Takes the next whole line, without its newline but with a NUL in its place; it is valid until the
 * next call with `lines`. false: there is none yet.
 */
bool lines_next(struct lines *lines, char **ret_line, size_t *ret_length);

/* Bytes held, for limits over many of them. */
static inline size_t lines_held(const struct lines *lines)
{
	return lines->end - lines->start;
}

void lines_free(struct lines *lines);

#define OWNED_LINES CLEANUP(lines_free)
