/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A position in one file of the audit log, from which blocks of whole lines are read forward or
 * back. Knows one file, its frames and its lines; which file comes next is files.c's.
 */
#pragma once

#include <sys/types.h>

#include "chain.h"
#include "index.h"
#include "pack.h"
#include "segment.h"

#define LOG_BLOCK (1u << 20) /* bytes of a block, but for one line that is longer */

/* Starts as LOG_CURSOR_CLOSED. */
struct log_cursor {
	int fd; /* less than 0: no file is open */
	uint64_t first; /* number of its first line; 0: not known yet */
	bool active; /* audit.jsonl, as far as is known */
	bool compressed;
	off_t offset; /* plain: of the next byte, or of the end of what comes before */
	struct audit_index index; /* compressed */
	size_t frame; /* the next one, or the one after the one before */
};

#define LOG_CURSOR_CLOSED ((struct log_cursor) { .fd = -1 })

/*
 * Which lines are looked for: frames that cannot have them are passed over, by the segments'
 * indices; within a block the caller still has to look. Empty: of all sessions, from the start.
 */
struct log_want {
	char session[SESSION_ID_LENGTH + 1], since[JSON_TIME_SIZE];
};

/*
 * The start of a file. 0; -ENOENT where it is not there; -EBADMSG where a compressed one has no
 * good index; -errno.
 */
int log_cursor_open_segment(int directory, uint64_t first, struct log_cursor *cursor);
/* Only its plain form. */
int log_cursor_open_plain(int directory, uint64_t first, struct log_cursor *cursor);
int log_cursor_open_active(int directory, struct log_cursor *cursor);
void log_cursor_close(struct log_cursor *cursor);

/* To the end of its last whole line. */
int log_cursor_seek_end(struct log_cursor *cursor);

/* The number of its first numbered line, 0 where it has none (yet). */
int log_cursor_find_first(struct log_cursor *cursor, uint64_t *ret_first);

/*
 * The line before the first one of a file that was just opened, as the first one names it. -ENOENT
 * where the file has no line; -EBADMSG where it is not of the chain; -errno.
 */
int log_cursor_find_before(struct log_cursor *cursor, struct audit_chain *ret_before);

/*
 * The next block, into `out`, and the one before. `want` NULL: all of them. 1; 0 at the end or the
 * start; -EBADMSG where it is damaged there, and then the cursor is behind the damage; -errno.
 */
int log_cursor_read(struct log_cursor *cursor, const struct log_want *want,
		    struct audit_buffer *out);
int log_cursor_read_back(struct log_cursor *cursor, const struct log_want *want,
			 struct audit_buffer *out);
