/* SPDX-License-Identifier: MPL-2.0 */
/*
 * How the audit log lies in its directory: audit.jsonl, which is being written, and segments that
 * are not written to any more, named by the number of their first line, so that the order of their
 * names is the order of their lines. A segment is plain until it is compressed:
 *
 *   audit-00000000000000000001.jsonl        plain
 *   audit-00000000000000000001.jsonl.zst    compressed, in frames
 *   audit-00000000000000000001.idx          where the frames are (index.h)
 *
 * A name with ".part" behind it is not finished and means nothing.
 */
#pragma once

#include "lib/base/base.h"

#define AUDIT_FILE "audit.jsonl"
#define AUDIT_PART ".part"
#define AUDIT_NAME_SIZE sizeof("audit-00000000000000000001.jsonl.zst.part")

enum audit_form { AUDIT_PLAIN, AUDIT_COMPRESSED, AUDIT_INDEX };

struct audit_name {
	char text[AUDIT_NAME_SIZE];
};

struct audit_name audit_segment_name(uint64_t first, enum audit_form form);
struct audit_name audit_segment_part(uint64_t first, enum audit_form form);

/* Which forms of a segment there are. */
struct audit_segment {
	uint64_t first; /* number of its first line */
	bool plain, compressed, indexed;
};

/* Oldest first. Starts as {0}. */
struct audit_segments {
	struct audit_segment *list;
	size_t count;
};

/* Reads the directory; what is not a segment is passed over. 0 or -errno. */
int audit_segments_list(int directory, struct audit_segments *ret_segments);
void audit_segments_free(struct audit_segments *segments);

#define OWNED_AUDIT_SEGMENTS CLEANUP(audit_segments_free)

/* Removes what was left unfinished. 0 or -errno. */
int audit_segments_tidy(int directory);
