/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * What the session did so far, added to the score of an operation that the policy allows. The
 * arithmetic is grith_context.h's, what the operation is to it grith_use.h's.
 */
#ifndef GRITH_CONTEXT_BPF_H
#define GRITH_CONTEXT_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

#include "decide.bpf.h"
#include "grith_use.h"
#include "operation.bpf.h"

/* What grithd found out later is as good as if the kernel had seen it. */
static __always_inline void take_tightened(const struct judgement *j, struct grith_context *c)
{
	const struct grith_late_taint *t;
	__u64 session = j->session_id;
	int i;

	t = bpf_map_lookup_elem(&late_taint, &session);
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
	__u16 labels = j->outcome.labels;
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
	};
	grith_use_fill(use, header, j->op, j->flags, labels, j->overwrites);
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

	if (header && j->outcome.labels && grith_is_reading(j->op, j->flags))
		grith_source_read(&session->context, grith_source_of(header, j->outcome.labels),
				  j->now);
	return 0;
}

#endif
