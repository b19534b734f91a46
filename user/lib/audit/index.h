/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The index of a compressed segment: where its frames are, and what is in each, so that a reader
 * opens only those that can have what it looks for. Text, a line for each frame:
 *
 *   grith-audit-index 1 FRAMES
 *   OFFSET SIZE LENGTH FIRST LAST SINCE UNTIL SESSION,SESSION...
 *   end HASH
 *
 * OFFSET and SIZE in bytes of the compressed file, LENGTH of what is in the frame; FIRST and LAST
 * numbers of lines; SINCE and UNTIL the earliest and the latest time as the log has it; '-' for no
 * session. HASH is of all lines before. Pure.
 */
#pragma once

#include "lib/base/base.h"

#define AUDIT_FRAME_BYTES (1u << 20) /* of whole lines, but for one line that is longer */
#define AUDIT_FRAME_MAX (16u << 20) /* a longer line than this is no line */
#define AUDIT_INDEX_MAX (64u << 20) /* bytes of the file that are read */

struct audit_frame {
	uint64_t offset, size, length;
	uint64_t first, last; /* 0: no line has a number */
	char since[JSON_TIME_SIZE], until[JSON_TIME_SIZE]; /* empty: no line has a time */
	char (*sessions)[SESSION_ID_LENGTH + 1];
	size_t n_sessions;
};

/* Starts as {0}. */
struct audit_index {
	struct audit_frame *frames;
	size_t count;
};

/* What the lines of a block say. 0 or -ENOMEM; audit_frame_free() in any case. */
int audit_frame_note(struct audit_frame *frame, const char *block, size_t length);
bool audit_frame_equal(const struct audit_frame *a, const struct audit_frame *b);
void audit_frame_free(struct audit_frame *frame);

/* Whether it can have lines of the session (empty: of any) from this time on (empty: of any). */
bool audit_frame_may_have(const struct audit_frame *frame, const char *session, const char *since);

/* Takes over `frame`, leaving {0}. 0, or -ENOMEM with both as they were. */
int audit_index_add(struct audit_index *index, struct audit_frame *frame);

int audit_index_format(const struct audit_index *index, struct text *out);

/*
 * 0; -EBADMSG where the text is not such an index, or its frames do not lie one behind the other;
 * -ENOMEM.
 */
int audit_index_parse(const char *text, size_t length, struct audit_index *ret_index);
void audit_index_free(struct audit_index *index);

#define OWNED_AUDIT_INDEX CLEANUP(audit_index_free)

#define OWNED_AUDIT_FRAME CLEANUP(audit_frame_free)
