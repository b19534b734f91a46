/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * All maps, counters and load-time constants of the object. Each file that includes this has its
 * own copies; they are weak, so that linking the files leaves one of each.
 */
#ifndef GRITH_MAPS_BPF_H
#define GRITH_MAPS_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

#include "grith_abi.h"

/* Set before loading: where grith's root cgroup is. The verifier sees them as constants. */
const volatile __u64 root_cgroup __weak SEC(".rodata");
const volatile __u32 root_level __weak SEC(".rodata");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, GRITH_MAX_SESSIONS);
	__type(key, __u64);
	__type(value, struct grith_session);
} sessions __weak SEC(".maps");

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

struct {
	__uint(type, BPF_MAP_TYPE_LPM_TRIE);
	__uint(max_entries, GRITH_MAX_NETS);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct grith_net_key);
	__type(value, struct grith_net_value);
} nets __weak SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, GRITH_RING_BYTES);
} ring __weak SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, GRITH_COUNTERS);
	__type(key, __u32);
	__type(value, __u64);
} counters __weak SEC(".maps");

/*
 * Working memory of one operation. Texts are put at the end of `data`, each before the one that is
 * there already, so that the record's fixed part fits in front and all of it is sent at once.
 */
#define SCRATCH_SLOTS 4 /* per CPU: a program may be preempted by another task's */
#define SCRATCH_HEAD 128 /* room for the fixed part of any record */
#define SCRATCH_SPACE (SCRATCH_HEAD + 2 * GRITH_PATH_MAX)

struct scratch {
	__u32 busy;
	__u32 at; /* where a text begins: here and not in a register, see path_walk */
	__u32 classes; /* the same for two enum grith_class, see object_judge() */
	__u32 pad;
	char data[2 * SCRATCH_SPACE]; /* the upper half only lets the verifier see the bounds */
};

/* An array over all CPUs and not a per-CPU one: its look-up is compiled in. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, SCRATCH_SLOTS); /* times the number of CPUs, set before loading */
	__type(key, __u32);
	__type(value, struct scratch);
} scratches __weak SEC(".maps");

/*
 * The same number, of which the verifier has forgotten what it knew: else it goes through the code
 * that follows once for every range that the number can have here. Check its bounds afterwards.
 */
static __always_inline __u32 forget(struct scratch *scratch, __u32 number)
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

#endif
