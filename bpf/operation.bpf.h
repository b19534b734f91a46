/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * One operation of a supervised task: whose it is, and the working memory for it. Then it is
 * decided (decide.bpf.h), judged (judge.bpf.h) and recorded (emit.bpf.h).
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
#define EBUSY 16
#define MAX_ERRNO 4095
#define ERESTARTNOINTR 513 /* the kernel's own: the call is made again after a signal */

/* Which of several requests it is, where one kind of operation covers several. */
enum way {
	WAY_USUAL = 0,
	WAY_NAMELESS, /* O_TMPFILE */
	WAY_MODE,
	WAY_OWNER,
	WAY_SET_ATTRIBUTE,
	WAY_REMOVE_ATTRIBUTE,
	WAY_SYMLINK,
	WAY_CONNECTED, /* data for where the socket is connected already */
	WAY_RING_POLL,
	WAY_RING_CREDENTIALS,
	WAY_RING_COMMAND,
};

/* What is known of it and what was decided, without pointers: a global function gets it. */
struct judgement {
	__u64 session_id;
	__u64 now;
	__u64 detail; /* what is asked of it: a mode, an owner, flags */
	__u64 object; /* of a held one, else 0 */
	struct grith_outcome outcome __attribute__((aligned(8)));
	__u32 at; /* where the texts in scratch->data begin; they end at SCRATCH_SPACE */
	__u32 scratch_key;
	__s32 error; /* what the hook returns, for the record */
	__u32 entity; /* hash of the file or address */
	__u32 more; /* what tells it from others besides the texts; of an address the port */
	__u32 filters; /* GRITH_CONTEXT_*: what added to `context` */
	__u32 review; /* that answered it; 0: none */
	__s16 context; /* what the session's state added to the score */
	__u16 flags; /* GRITH_RECORD_* */
	__u8 op; /* enum grith_op */
	bool recorded_only; /* whatever the verdict, nothing is refused */
	bool told; /* is held again: there is a record of it already */
	bool overwrites; /* what is in the file is lost */
	bool asked; /* a hold for it was answered earlier in the same call */
	bool refusals_only; /* no record where it is allowed */
	__u8 way; /* enum way; a signal's number, a mode of access to a process */
};

struct operation {
	struct grith_session *session;
	struct scratch *scratch;
	struct judgement;
};

/*
 * Every program has the CPU to itself, in the sense that it does not move to another; but it may
 * be preempted there, so that the slots are claimed and not counted.
 */
static __always_inline struct scratch *scratch_take(__u32 *ret_key)
{
	__u32 key = bpf_get_smp_processor_id() * SCRATCH_SLOTS;
	int i;

	for (i = 0; i < SCRATCH_SLOTS; i++, key++) {
		struct scratch *scratch = bpf_map_lookup_elem(&scratches, &key);

		if (scratch && !__sync_lock_test_and_set(&scratch->busy, 1)) {
			*ret_key = key;
			return scratch;
		}
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
	__u32 key = 0;

	if (!id)
		return 0;
	*o = (struct operation) {
		.session_id = id,
		.now = bpf_ktime_get_ns(),
		.op = op,
		.at = SCRATCH_SPACE,
	};
	o->session = bpf_map_lookup_elem(&sessions, &id);
	if (!o->session) {
		count(GRITH_COUNT_NO_IMAGE);
		return -EACCES;
	}
	o->scratch = scratch_take(&key);
	if (!o->scratch) {
		count(GRITH_COUNT_NO_SCRATCH);
		return -EACCES;
	}
	o->scratch_key = key;
	return 1;
}

/* Ends an operation that turns out to be none of ours. */
static __always_inline int operation_drop(struct operation *o)
{
	scratch_give(o->scratch);
	return 0;
}

#endif
