/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * All maps, counters and load-time constants of the object. Each file that includes this has its
 * own copies; they are weak, so that linking the files leaves one of each.
 */
#pragma once

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include "decision.bpf.h"
#include "grith_context.h"
#include "grith_move.h"

char LICENSE[] SEC("license") = "Dual MPL/GPL";

/* Set before loading: where grith's root cgroup is. The verifier sees them as constants. */
const volatile __u64 root_cgroup __weak SEC(".rodata");
const volatile __u32 root_level __weak SEC(".rodata");

/* Set before loading, at random: the key of the hash by which objects are compared. */
const volatile __u64 object_key[2] __weak SEC(".rodata");

#define MAP(name, map_type, entries, flags, key_type, value_type) \
	struct {                                                  \
		__uint(type, BPF_MAP_TYPE_##map_type);            \
		__uint(max_entries, entries);                     \
		__uint(map_flags, flags);                         \
		__type(key, key_type);                            \
		__type(value, value_type);                        \
	} name __weak SEC(".maps")

MAP(sessions, HASH, GRITH_MAX_SESSIONS, 0, __u64, struct grith_session);

/* Slot to image. The inner map has sizes for types: clang 14 would lose the types. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, GRITH_MAX_IMAGES);
	__type(key, __u32);
	__array(
		values, struct {
			__uint(type, BPF_MAP_TYPE_ARRAY);
			__uint(max_entries, 1);
			__uint(key_size, sizeof(__u32));
			__uint(value_size, GRITH_IMAGE_WORDS * sizeof(__u32));
		});
} images __weak SEC(".maps");

MAP(nets, LPM_TRIE, GRITH_MAX_NETS, BPF_F_NO_PREALLOC, struct grith_net_key,
    struct grith_net_value);

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, GRITH_RING_BYTES);
} ring __weak SEC(".maps");

MAP(counters, PERCPU_ARRAY, GRITH_COUNTERS, 0, __u32, __u64);

MAP(holds, HASH, GRITH_MAX_HOLDS, BPF_F_NO_PREALLOC, struct grith_hold_key, struct grith_hold);

MAP(answers, HASH, GRITH_MAX_ANSWERS, BPF_F_NO_PREALLOC, struct grith_answer_key,
    struct grith_answer);

/*
 * Processes that their user has stopped. No entry: an answer may resume it. Full: their session's
 * are resumed by nobody else any more, see signal_generate (fail closed).
 */
MAP(stopped_by_user, HASH, GRITH_MAX_STOPPED_BY_USER, BPF_F_NO_PREALLOC, __u32, __u8);

/* Answers that one exec has found so far: a script's, its interpreter's. Key: thread group. */
#define EXEC_ANSWERS 8

struct exec_answers {
	__u64 objects[EXEC_ANSWERS]; /* 0: free */
	__u32 review; /* the last one's */
	__u32 inspect; /* the arguments of a script are to be inspected */
};

/* Full: a program that needs a note is refused (fail closed). */
MAP(exec_answers, HASH, GRITH_MAX_EXEC_ANSWERS, BPF_F_NO_PREALLOC, __u32, struct exec_answers);

/* Late taint: when a session read a source, found out after the read. No entry: nothing was. */
MAP(late_taint, HASH, GRITH_MAX_SESSIONS, BPF_F_NO_PREALLOC, __u64, struct grith_late_taint);

/* grithd's thread group, which alone may resume a program that awaits inspection. */
MAP(daemon, ARRAY, 1, 0, __u32, __u32);

/*
 * Connected sockets, and which taint of the session the last decision about writing to them knew.
 * Key: the socket's cookie. No entry, or one that was evicted: none, it is decided once more (fail
 * closed).
 */
MAP(rechecked, LRU_HASH, 16384, 0, __u64, __u64);

/*
 * Objects of the kernel that were made in a session, and in which: by address, from their making
 * until they are freed (own.bpf.h). No entry, or no room for one: made by somebody else (fail
 * closed).
 */
MAP(own_objects, HASH, 65536, BPF_F_NO_PREALLOC, __u64, __u64);

/* The same for sockets that listen, by where they can be reached. */
struct listener_key {
	__u64 net; /* the network namespace's address */
	__u8 address[16]; /* as in struct grith_net_key; all zero behind the prefix: any */
	__u64 port;
};

struct listener {
	__u64 session;
	__u64 sock; /* its address */
};

MAP(own_listeners, HASH, 16384, BPF_F_NO_PREALLOC, struct listener_key, struct listener);

/*
 * The terminal that a session was started in, 0 for none: see terminal.bpf.h. No entry, or one that
 * was evicted: it is noted at the session's next exec.
 */
MAP(start_terminals, LRU_HASH, 4 * GRITH_MAX_SESSIONS, 0, __u64, __u64);

/*
 * What home_name() (home.bpf.h) is asked, answers, and needs. All addresses are numbers: the
 * verifier lets no pointer through to a global function.
 */
#define HOME_MOUNTS 16

struct home_query {
	__u64 home; /* id of the namespace */
	__u64 home_root; /* its root, struct mount */
	__u64 entry; /* struct dentry */
	__u64 mnt; /* the vfsmount that it was reached by; 0: not known */
	__u32 end; /* of the name, an index into scratch->data */
	__s32 view; /* where another name begins that goes behind it; 0 or less: none */
	/* The answer: */
	__s32 result; /* where the name begins; PATH_UNKNOWN: it has none there */
	__u8 made_inside; /* the file system is not mounted at home at all */
	__u8 is_view; /* the other name is the same, and stands alone */
	/* The superblock's mounts at home: */
	__u8 ended; /* the whole list was seen */
	__u8 n;
	__u8 type; /* a number of known_types */
	__u8 pad[3];
	__u64 sb;
	__u64 at; /* in the list */
	__u64 own_root; /* the best mount for a path is one with this root */
	__u64 above; /* of the walk from the entry to the root of one of them */
	__u64 found; /* struct mount */
	__u64 mounts[HOME_MOUNTS];
	__u64 roots[HOME_MOUNTS];
};

/*
 * Working memory of one operation. Texts are put at the end of `data`, each before the one that is
 * there already, so that the record's fixed part fits in front and all of it is sent at once.
 */
#define SCRATCH_SLOTS 4 /* per CPU: a program may be preempted by another task's */
#define SCRATCH_HEAD 192 /* room for the fixed part of any record */
#define SCRATCH_SPACE (SCRATCH_HEAD + 2 * GRITH_PATH_MAX)

struct scratch {
	__u32 busy;
	__u32 at; /* where a text begins: here and not in a register, see path_walk */
	__u32 op_classes; /* the same for two enum grith_op_class, see path_lookup() */
	__u32 state, row; /* the policy's for the path that was looked up last; state 0: unknown */
	__u32 move; /* GRITH_MOVE() */
	__u32 view; /* where the name in another tree begins, see path_build() */
	__u64 view_in; /* id of its namespace; 0: the mount is attached nowhere */
	struct home_query query;
	struct decision d;
	struct grith_use use; /* see context_add() */
	struct grith_points points;
	__u32 filters;
	struct grith_origin origin; /* see origin_read() */
	char data[2 * SCRATCH_SPACE]; /* the upper half only lets the verifier see the bounds */
};

/* Memory for comparing what lies below two names of a directory, see grith_move.h. */
#define WALK_SLOTS 4

MAP(walks, ARRAY, WALK_SLOTS, 0, __u32, struct grith_walk);

/*
 * SCRATCH_SLOTS for each CPU: grithd multiplies the size before loading. Not a per-CPU array: the
 * look-up of this one is compiled in.
 */
MAP(scratches, ARRAY, SCRATCH_SLOTS, 0, __u32, struct scratch);

/*
 * The same number, opaque to the verifier: else it goes through the code that follows once for
 * every range that the number can have here. Check its bounds afterwards.
 */
static __always_inline __u32 opaque(struct scratch *scratch, __u32 number)
{
	*(volatile __u32 *)&scratch->at = number;
	return *(volatile __u32 *)&scratch->at;
}

static __always_inline void count(__u32 counter)
{
	__u64 *n = bpf_map_lookup_elem(&counters, &counter);

	if (n) /* always: the index is a constant below the size */
		__sync_fetch_and_add(n, 1);
}
