/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * What is asked of an object, beyond which one it is: an answer for one request must not be good
 * for another. Numbers are noted as they are; longer arguments by their hash. This is done before
 * the object's path is built, at the beginning of the scratch, where no path of a single object
 * reaches.
 */
#ifndef GRITH_DETAIL_BPF_H
#define GRITH_DETAIL_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

#include "hash.bpf.h"
#include "operation.bpf.h"

#define DETAIL_MAX 4096 /* bytes that are compared */

/* Adds what lies at the beginning of the scratch; `size` is all of it. */
static __always_inline void detail_add(struct operation *o, __u32 length, __u64 size)
{
	const __u64 words[HASH_WORDS] = { o->detail, size };

	o->detail = hash_scratch(o->scratch, 0, length, words);
}

/* A text of the kernel's. One that cannot be read is as good as an empty one. */
static __noinline int detail_string(struct operation *o, const char *text)
{
	long length = bpf_probe_read_kernel_str(o->scratch->data, DETAIL_MAX, text);

	if (length < 0 || length > DETAIL_MAX)
		length = 0;
	detail_add(o, length, length);
	return 0;
}

/* Of very many bytes, the first and the number. */
static __noinline int detail_bytes(struct operation *o, const void *bytes, __u32 size)
{
	__u32 length = size;

	if (length > DETAIL_MAX)
		length = DETAIL_MAX;
	barrier_var(length); /* else the compiler bounds another register than it uses */
	length &= 2 * DETAIL_MAX - 1;
	if (bpf_probe_read_kernel(o->scratch->data, length, bytes))
		length = 0;
	detail_add(o, length, size);
	return 0;
}

#endif
