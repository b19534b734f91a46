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

/* Which of several requests it is, where one operation covers several. */
enum variant {
	VARIANT_NONE = 0,
	OPEN_TMPFILE, /* O_TMPFILE: each open makes another file, without a name */
	CREATE_SYMLINK,
	CHANGE_MODE,
	CHANGE_OWNER,
	CHANGE_TIMES,
	SET_XATTR,
	REMOVE_XATTR,
	SEND_CONNECTED, /* data for where the socket is connected already */
	RING_SQPOLL,
	RING_CREDENTIALS,
	RING_COMMAND,
};

/*
 * What is asked of the object beyond its name: an answer to one request must not be good for
 * another, so all of it is compared, as `raw`.
 */
union request {
	struct {
		/*
		 * open: O_TRUNC and O_TMPFILE only; create: device << 32 | mode;
		 * rename: object_identity() << RENAME_BITS | RENAME_*;
		 * metadata: mode, or uid << 32 | gid; longer arguments by their hash
		 * (request_add_string)
		 */
		__u64 value;
		__u32 place; /* length of the first path; parent_identity() of an unknown one */
		__u8 variant;
	} raw, path;
	struct {
		__u16 family, protocol;
		__u32 pad;
		__u16 port, type;
		__u8 variant;
	} net;
	struct {
		__u64 start_time; /* another process may get the same number */
		__u32 pid;
		__u8 mode; /* of access, or the signal's number */
	} process;
};

/*
 * What is known of an operation and what was decided. No pointers: decide_slow() is a global
 * function, and the verifier lets none of them through to one.
 */
struct decision {
	__u64 session_id;
	__u64 now;
	__u64 object; /* hash of a held one, else 0 */
	union request request;
	struct grith_outcome outcome __attribute__((aligned(8)));
	__u32 at; /* where the texts in scratch->data begin; they end at SCRATCH_SPACE */
	__u32 scratch_key;
	__s32 error; /* what the hook returns, for the record */
	__u32 entity; /* hash of the file or address; not 0 */
	__u32 filters; /* GRITH_CONTEXT_*: what added to `context` */
	__u32 review; /* that answered it; 0: none */
	__s32 context; /* what the session's state added to the score */
	__u32 flags; /* GRITH_RECORD_* */
	__u8 op; /* enum grith_op */
	bool record_only; /* whatever the verdict, nothing is refused */
	bool recorded; /* needs no record: sent at an earlier try, or stopped again */
	bool overwrites; /* what is in the file is lost */
	bool answered_in_call; /* by an earlier hook: a hold here is allowed */
	bool refusals_only; /* no record where it is allowed */
	bool piecemeal; /* a deny is EXDEV: as between file systems, to be done file by file */
	bool local; /* to another program on this machine */
};

struct operation {
	struct grith_session *session;
	struct scratch *scratch;
	struct decision d;
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
	*o = (struct operation) {
		.d.session_id = id,
		.d.now = bpf_ktime_get_ns(),
		.d.op = op,
		.d.at = SCRATCH_SPACE,
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
	o->d.scratch_key = key;
	return 1;
}

/* Ends an operation that turns out to be none of ours. */
static __always_inline int operation_drop(struct operation *o)
{
	scratch_give(o->scratch);
	return 0;
}
