/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Lines of a file from its end to its start, a chunk at a time.
 */
#ifndef GRITH_LINES_BACK_H
#define GRITH_LINES_BACK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "cleanup.h"

/* Starts as { .offset = end of what is to be read }. */
struct lines_back {
	off_t offset; /* in the file, of data[0] */
	char *data;
	size_t length, size;
};

/*
 * Reads the chunk before the last one. 1, or 0 at the start of the file, or -errno. A line of more
 * than `max` bytes is left out.
 */
int lines_back_read(struct lines_back *lines, int fd, size_t max);

/*
 * The line before the last one, without its newline, and where it starts in the file; valid until
 * the next read. false: read more. A last line without a newline is left out.
 */
bool lines_back_next(struct lines_back *lines, const char **ret_line, size_t *ret_length,
		     off_t *ret_at);

void lines_back_free(struct lines_back *lines);

static inline void lines_back_freep(struct lines_back *lines)
{
	lines_back_free(lines);
}

#define OWNED_LINES_BACK CLEANUP(lines_back_freep)

#endif
