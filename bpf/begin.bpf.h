/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * How every operation begins: which session the task is in, and working memory for it. Then the
 * object gets a name (name.bpf.h), the policy is looked up (lookup.bpf.h), and it is decided
 * (decide.bpf.h), held (hold.bpf.h) and recorded (record.bpf.h).
 *
 * A task's session is the cgroup directly below grith's root on the way from its own cgroup to the
 * root of all, so that a cgroup that a session makes for itself is in it. A task in grith's root
 * cgroup itself is in no session: grithd puts none there.
 */
#pragma once

#include <bpf/bpf_core_read.h>
#include "maps.bpf.h"

#define EPERM 1
#define ENOENT 2
#define EACCES 13
#define EBUSY 16
#define EXDEV 18
#define MAX_ERRNO 4095
#define ERESTARTNOINTR 513 /* the kernel's own: the call is made again after a signal */

/* The running task's session, 0 outside all: this is the whole cost of a task outside. */
static __always_inline __u64 session_of_current(void)
{
	if (bpf_get_current_ancestor_cgroup_id(root_level) != root_cgroup)
		return 0;
	return bpf_get_current_ancestor_cgroup_id(root_level + 1); /* 0 for the root itself */
}

/* The session that a cgroup lies in. Not inlined: the stack is short where this is called. */
static __noinline __u64 session_of_cgroup(struct cgroup *cgroup)
{
	struct cgroup *ancestor;
	void *at;

	if (BPF_CORE_READ(cgroup, level) <= (int)root_level)
		return 0;
	at = (void *)cgroup + bpf_core_field_offset(struct cgroup, ancestors);
	if (bpf_probe_read_kernel(&ancestor, sizeof(ancestor),
				  at + root_level * sizeof(ancestor)) ||
	    BPF_CORE_READ(ancestor, kn, id) != root_cgroup)
		return 0;
	if (bpf_probe_read_kernel(&ancestor, sizeof(ancestor),
				  at + (root_level + 1) * sizeof(ancestor)))
		return 0;
	return BPF_CORE_READ(ancestor, kn, id);
}

/*
 * Another task's session. Race: it may be moved to another cgroup while this reads. The pointer to
 * its set of cgroups is loaded once and cgroups are freed after RCU, so that the result is its
 * session before or after the move; only grithd, from outside, moves a task into a session.
 */
static __always_inline __u64 session_of(struct task_struct *task)
{
	return session_of_cgroup(BPF_CORE_READ(task, cgroups, dfl_cgrp));
}

/*
 * The session that a socket was made in: a socket keeps its maker's cgroup, wherever the maker goes
 * and whoever has a descriptor. The end of a stream connection that accept() returns is made by the
 * connecting task.
 */
static __always_inline __u64 session_of_socket(struct sock *sk)
{
	return session_of_cgroup(BPF_CORE_READ(sk, sk_cgrp_data.cgroup));
}

#define GOLDEN_RATIO 0x9e3779b97f4a7c15ull /* 2^64 over it: Knuth's multiplicative hash */

struct operation {
	struct grith_session *session;
	struct scratch *scratch;
	struct decision *d; /* the scratch's */
};

/*
 * A scratch of this CPU. Race: a program does not migrate, but another task's, or one in an
 * interrupt, may preempt it and come here; hence an atomic claim and not a counter of depth. NULL:
 * all are in use, the operation is refused.
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
 * nothing is to be done. Negative errno: it is supervised and there is nothing to decide by, so
 * that it fails closed: its session's entry is missing (below grith's root, in a cgroup that grithd
 * does not know), or no scratch is free.
 */
static __always_inline int operation_begin(struct operation *o, enum grith_op op)
{
	__u64 id = session_of_current();
	__u32 key = 0;

	if (!id)
		return 0;
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
	o->d = &o->scratch->d;
	*o->d = (struct decision) {
		.session_id = id,
		.now = bpf_ktime_get_ns(),
		.at = SCRATCH_SPACE,
		.scratch_key = key,
		.op = op,
	};
	return 1;
}

/* Ends an operation that turns out to be none of ours. */
static __always_inline int operation_drop(struct operation *o)
{
	scratch_give(o->scratch);
	return 0;
}
