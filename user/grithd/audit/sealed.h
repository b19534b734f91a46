/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What becomes of sealed segments, in small steps: they are compressed, and at last removed. Each
 * step leaves the directory in a state from which a new grithd goes on.
 */
#pragma once

#include "lib/audit/audit.h"

/* --- compress.c: one segment, a frame at a time, so that grithd is never away for long */

/* Starts as AUDIT_COMPRESS_IDLE. */
struct audit_compress {
	int directory; /* not owned */
	uint64_t first; /* of the segment */
	struct log_cursor source;
	int out;
	uint64_t offset; /* bytes written to it */
	struct audit_index index;
	struct audit_buffer block, packed;
};

#define AUDIT_COMPRESS_IDLE \
	((struct audit_compress) { .directory = -1, .source = LOG_CURSOR_CLOSED, .out = -1 })

bool audit_compress_is_busy(const struct audit_compress *job);
/* 0 or -errno; then it is idle. */
int audit_compress_begin(struct audit_compress *job, int directory, uint64_t first);
/*
 * The next frame; after the last one the compressed form and its index get their names, and the
 * plain form is removed. 1: there is more; 0: it is done; -errno: it was given up. -EBADMSG: there
 * is something in the segment that is not a line.
 */
int audit_compress_step(struct audit_compress *job);
/* Gives up what is being done; the plain form is as it was. */
void audit_compress_stop(struct audit_compress *job);

/* --- sealed.c */

/* Starts as { .directory, .keep, .days, .compress = AUDIT_COMPRESS_IDLE }. */
struct audit_sealed {
	int directory; /* not owned */
	uint64_t keep, days; /* 0: no limit */
	struct audit_compress compress;
	uint64_t tried; /* segments up to this one were compressed, or cannot be now */
	uint64_t again; /* the first one that may be possible later; 0: none */
};

/* One step of compressing. 1: there is more; 0: all is compressed; -errno: one could not be. */
int audit_sealed_compress(struct audit_sealed *sealed);

/* Whether one of them is half done. */
bool audit_sealed_is_compressing(const struct audit_sealed *sealed);

/* Tries again what failed, but for segments that are damaged: they stay as they are. */
void audit_sealed_again(struct audit_sealed *sealed);

/*
 * The oldest segment where it is to be removed: 1, its first line's number, and its last line; 0:
 * none is; -errno.
 */
int audit_sealed_find_old(const struct audit_sealed *sealed, uint64_t *ret_first,
			  struct audit_chain *ret_last);
/* Once the log says so. 0 or -errno. */
int audit_sealed_remove(const struct audit_sealed *sealed, uint64_t first);

void audit_sealed_clear(struct audit_sealed *sealed);
