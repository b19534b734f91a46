/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * What an operation is to the session's state: which rate it belongs to, whether it reads a source,
 * sends, destroys. Compiled for both sides, like grith_context.h.
 */
#ifndef GRITH_USE_H
#define GRITH_USE_H

#include "grith_abi.h"

#define GRITH_RATE_CASE(op, number, word, class, rate) \
	case op:                                       \
		return GRITH_RATE_##rate;

static __always_inline __u8 grith_rate_of(enum grith_op op)
{
	switch (op) {
		GRITH_OP_TABLE(GRITH_RATE_CASE)
	default:
		return GRITH_RATE_NONE;
	}
}

/* How much the object weighs as a source of secrets. GRITH_SOURCES: it is none. */
static __always_inline __u32 grith_source_of(const struct grith_image_header *header, __u16 labels)
{
	int i;

	for (i = 0; i < GRITH_SOURCES; i++)
		if (labels & header->source[i])
			break;
	return i;
}

/* `flags` are those of a record. */
static __always_inline int grith_is_reading(enum grith_op op, __u16 flags)
{
	return op == GRITH_OP_READ || op == GRITH_OP_RECEIVE || flags & GRITH_RECORD_READ_TOO;
}

/* What follows from the kind of operation and the object's labels; the rest is the caller's. */
static __always_inline void grith_use_fill(struct grith_use *use,
					   const struct grith_image_header *header,
					   enum grith_op op, __u16 flags, __u16 labels,
					   int overwrites)
{
	int project = labels & header->project;

	use->rate = grith_rate_of(op);
	use->egress = op == GRITH_OP_CONNECT || op == GRITH_OP_SEND;
	use->network_tool = op == GRITH_OP_EXEC && labels & header->network_tool;
	use->own_data = grith_is_reading(op, flags) &&
			(grith_source_of(header, labels) < GRITH_SOURCES || project);
	use->destroys = !project && (op == GRITH_OP_DELETE || op == GRITH_OP_RENAME || overwrites);
}

#endif
