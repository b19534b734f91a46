/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A place in one file of the audit log, from which blocks of whole lines are read forward or back.
 * Knows one file, its frames and its lines; which file comes next is files.c's.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "index.h"
#include "pack.h"
#include "segment.h"

/* Starts as LOG_PLACE_NOWHERE. */
struct log_place {
	int fd; /* less than 0: no file is open */
	uint64_t first; /* number of its first line; 0: not known yet */
	bool active; /* audit.jsonl, as far as is known */
	bool compressed;
	off_t offset; /* PLAIN: of the next byte, or of the end of what comes before */
	struct audit_index index; /* COMPRESSED */
	size_t frame; /* the next one, or the one after the one before */
};

#define LOG_PLACE_NOWHERE ((struct log_place) { .fd = -1 })

/* Which frames may be passed over. */
struct log_place_want {
	const char *session, *since; /* empty: of all */
};

/*
 * The start of a file. 0; -ENOENT where it is not there; -EBADMSG where a compressed one has no
 * good index; -errno.
 */
int log_place_open_segment(int directory, uint64_t first, struct log_place *place);
/* Only its plain form. */
int log_place_open_plain(int directory, uint64_t first, struct log_place *place);
int log_place_open_active(int directory, struct log_place *place);
void log_place_close(struct log_place *place);

/* To the end of its last whole line. */
int log_place_seek_end(struct log_place *place);

/* The number of its first numbered line, 0 where it has none (yet). */
int log_place_find_first(struct log_place *place, uint64_t *ret_first);

/*
 * The next block, into `out`, and the one before. 1; 0 at the end or the start; -EBADMSG where it
 * is damaged there, and then the place is behind the damage; -errno.
 */
int log_place_read(struct log_place *place, const struct log_place_want *want,
		   struct audit_buffer *out);
int log_place_read_back(struct log_place *place, const struct log_place_want *want,
			struct audit_buffer *out);
