/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Compressing one segment, a frame at a time, so that grithd is never away for long.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "lib/audit/audit.h"

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
