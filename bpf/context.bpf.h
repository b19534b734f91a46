/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * What the session did so far, added to the score of an operation that the policy allows. The
 * arithmetic is grith_context.h's; here it is told what the operation is.
 */
#ifndef GRITH_CONTEXT_BPF_H
#define GRITH_CONTEXT_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

#include "decide.bpf.h"
#include "operation.bpf.h"

static __always_inline __u8 rate_of(enum grith_op op)
{
	switch (op) {
	case GRITH_OP_READ:
		return GRITH_RATE_READ;
	case GRITH_OP_WRITE:
	case GRITH_OP_CREATE:
	case GRITH_OP_TRUNCATE:
		return GRITH_RATE_WRITE;
	case GRITH_OP_DELETE:
		return GRITH_RATE_DELETE;
	case GRITH_OP_OPENDIR:
		return GRITH_RATE_LIST;
	case GRITH_OP_EXEC:
		return GRITH_RATE_SPAWN;
	default:
		return GRITH_RATE_NONE;
	}
}

/* GRITH_SOURCES: it is none. */
static __always_inline __u32 source_of(const struct grith_image_header *header, __u16 classes)
{
	int i;

	for (i = 0; i < GRITH_SOURCES; i++)
		if (classes & header->source[i])
			break;
	return i;
}

static __always_inline bool is_reading(const struct judgement *j)
{
	return j->op == GRITH_OP_READ || j->op == GRITH_OP_RECEIVE ||
	       j->flags & GRITH_RECORD_READ_TOO;
}

static __always_inline bool is_destroying(const struct judgement *j)
{
	return j->op == GRITH_OP_DELETE || j->op == GRITH_OP_RENAME || j->overwrites;
}

/* What grithd found out later is as good as if the kernel had seen it. */
static __always_inline void take_tightened(const struct judgement *j, struct grith_context *c)
{
	const struct grith_tightened *t;
	__u64 session = j->session_id;
	int i;

	t = bpf_map_lookup_elem(&tightened, &session);
	if (!t)
		return;
	for (i = 0; i < GRITH_SOURCES; i++) {
		if (t->tainted[i] > c->tainted[i])
			c->tainted[i] = t->tainted[i];
		if (t->tainted[i] > c->tainted_any)
			c->tainted_any = t->tainted[i];
	}
}

/*
 * Adds to the score what the session's state says of an operation that the policy allows. What is
 * found out on the way lies in the scratch, where the verifier does not follow it.
 */
static __noinline int context_add(struct judgement *j, struct grith_session *session)
{
	const struct grith_image_header *header = (const void *)image_of_slot(session->image);
	__u16 classes = j->outcome.classes;
	__u32 key = j->scratch_key;
	struct scratch *scratch = bpf_map_lookup_elem(&scratches, &key);
	struct grith_use *use;

	if (!header || !scratch) /* then it was refused already */
		return 0;
	use = &scratch->use;
	*use = (struct grith_use) {
		.now = j->now,
		.entity = j->entity,
		.port = j->more,
		.rate = rate_of(j->op),
		.egress = j->op == GRITH_OP_CONNECT || j->op == GRITH_OP_SEND,
		.network_tool = j->op == GRITH_OP_EXEC && classes & header->network_tool,
	};
	use->own_data = is_reading(j) &&
			(source_of(header, classes) < GRITH_SOURCES || classes & header->project);
	use->destroys = is_destroying(j) && !(classes & header->project);
	if (use->egress || use->network_tool)
		take_tightened(j, &session->context);
	scratch->points = (struct grith_points) { 0 };
	grith_context_note(&session->context, &header->weights, use, &scratch->points);
	j->context = grith_points_sum(&scratch->points, &scratch->filters);
	j->filters = scratch->filters;
	j->outcome.score += j->context;
	return 0;
}

/* What an operation that is now allowed brings into the session. */
static __noinline int context_taint(const struct judgement *j, struct grith_session *session)
{
	const struct grith_image_header *header = (const void *)image_of_slot(session->image);

	if (header && j->outcome.classes && is_reading(j))
		grith_source_read(&session->context, source_of(header, j->outcome.classes), j->now);
	return 0;
}

#endif
