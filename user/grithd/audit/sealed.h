/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What becomes of sealed segments, in small steps: they are compressed, and at last removed. Each
 * step leaves the directory in a state from which a new grithd goes on.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "lib/audit/audit.h"
#include "compress.h"

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
