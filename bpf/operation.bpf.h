/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * One operation of a supervised task, from the hook's entry to its return value: whose it is, the
 * working memory for it, and what becomes of the verdict. Deciding is in decide.bpf.h, the record
 * in emit.bpf.h.
 */
#ifndef GRITH_OPERATION_BPF_H
#define GRITH_OPERATION_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

#include "maps.bpf.h"
#include "session.bpf.h"

#define EPERM 1
#define ENOENT 2
#define EACCES 13

struct operation {
	struct grith_session *session;
	struct scratch *scratch;
	__u64 session_id;
	__u32 at; /* where the texts in scratch->data begin; they end at SCRATCH_SPACE */
	__s32 error; /* what the hook returns, for the record */
	struct grith_outcome outcome __attribute__((aligned(8)));
	__u16 flags; /* GRITH_RECORD_* */
	__u8 op; /* enum grith_op */
	bool recorded_only; /* whatever the verdict, nothing is refused */
};

/*
 * Every program has the CPU to itself, in the sense that it does not move to another; but it may
 * be preempted there, so that the slots are claimed and not counted.
 */
static __always_inline struct scratch *scratch_take(void)
{
	__u32 key = bpf_get_smp_processor_id() * SCRATCH_SLOTS;
	int i;

	for (i = 0; i < SCRATCH_SLOTS; i++, key++) {
		struct scratch *scratch = bpf_map_lookup_elem(&scratches, &key);

		if (scratch && !__sync_lock_test_and_set(&scratch->busy, 1))
			return scratch;
	}
	return NULL;
}

static __always_inline void scratch_give(struct scratch *scratch)
{
	*(volatile __u32 *)&scratch->busy = 0;
}

/*
 * 1: the task is supervised and `o` is ready; the scratch has to be given back. 0: it is not, and
 * nothing is to be done. Negative errno: it is, and cannot be judged.
 */
static __always_inline int operation_begin(struct operation *o, enum grith_op op)
{
	__u64 id = session_of_current();

	if (!id)
		return 0;
	*o = (struct operation) { .session_id = id, .op = op, .at = SCRATCH_SPACE };
	o->session = bpf_map_lookup_elem(&sessions, &id);
	if (!o->session) {
		count(GRITH_COUNT_NO_IMAGE);
		return -EACCES;
	}
	o->scratch = scratch_take();
	if (!o->scratch) {
		count(GRITH_COUNT_NO_SCRATCH);
		return -EACCES;
	}
	return 1;
}

/* Ends an operation that turns out to be none of ours. */
static __always_inline int operation_drop(struct operation *o)
{
	scratch_give(o->scratch);
	return 0;
}

/*
 * The verdict as an errno: what the hook returns, also in o->error for the record. Holding an
 * operation, once there is such a thing, begins here: until then `hold` refuses and says so.
 */
static __always_inline int operation_judge(struct operation *o)
{
	int error;

	switch (o->outcome.verdict) {
	case GRITH_ALLOW:
		error = 0;
		break;
	case GRITH_HIDE:
		error = -ENOENT;
		break;
	default:
		error = o->op == GRITH_OP_RING ? -EPERM : -EACCES;
	}
	if (error && (o->recorded_only || o->session->mode == GRITH_OBSERVE)) {
		o->flags |= GRITH_RECORD_OBSERVED;
		error = 0;
	}
	if (error && o->outcome.verdict == GRITH_HOLD)
		o->flags |= GRITH_RECORD_HOLD_REFUSED;
	o->error = error;
	return error;
}

#endif
