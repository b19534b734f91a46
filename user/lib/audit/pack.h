/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Frames of a compressed segment: each can be unpacked without the others. Pure.
 */
#pragma once

#include "lib/base/base.h"

/* Memory that is used again for one frame after the other. Starts as {0}. */
struct audit_buffer {
	char *data;
	size_t length, size;
};

/* Room for `size` bytes, keeping what is there. 0 or -ENOMEM. */
int audit_buffer_reserve(struct audit_buffer *buffer, size_t size);
void audit_buffer_free(struct audit_buffer *buffer);

#define OWNED_AUDIT_BUFFER CLEANUP(audit_buffer_free)

/* A zstd frame (RFC 8878) with a checksum, into `out`. 0 or -ENOMEM. */
int audit_pack(const char *data, size_t length, struct audit_buffer *out);

/*
 * What is in one frame, which must be of exactly `length` bytes, into `out`. 0; -EBADMSG where the
 * frame is damaged or something else; -ENOMEM.
 */
int audit_unpack(const char *frame, size_t size, size_t length, struct audit_buffer *out);
