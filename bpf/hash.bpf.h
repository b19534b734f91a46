/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * The hash by which held objects are compared: SipHash-2-4 (Aumasson and Bernstein, 2012) of what
 * lies in the scratch, with a key that only the kernel side knows. A process can neither choose a
 * name with another's hash nor learn one.
 */
#ifndef GRITH_HASH_BPF_H
#define GRITH_HASH_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

#include "maps.bpf.h"
#include "text.bpf.h"

struct hash {
	__u64 v0, v1, v2, v3;
	struct scratch *scratch;
	__u32 at; /* of the next word */
	__u32 end;
};

static __always_inline __u64 rotate(__u64 x, int bits)
{
	return x << bits | x >> (64 - bits);
}

static __always_inline void hash_round(struct hash *h)
{
	h->v0 += h->v1;
	h->v1 = rotate(h->v1, 13) ^ h->v0;
	h->v0 = rotate(h->v0, 32);
	h->v2 += h->v3;
	h->v3 = rotate(h->v3, 16) ^ h->v2;
	h->v0 += h->v3;
	h->v3 = rotate(h->v3, 21) ^ h->v0;
	h->v2 += h->v1;
	h->v1 = rotate(h->v1, 17) ^ h->v2;
	h->v2 = rotate(h->v2, 32);
}

static __always_inline void hash_add(struct hash *h, __u64 word)
{
	h->v3 ^= word;
	hash_round(h);
	hash_round(h);
	h->v0 ^= word;
}

static long hash_word(__u32 i, struct hash *h)
{
	__u32 at = h->at + i * sizeof(__u64), left = h->end - at;
	__u64 word;

	if (at >= SCRATCH_SPACE || at >= h->end)
		return 1;
	word = *text_word(h->scratch, at);
	if (left < sizeof(word)) /* what lies behind the end is not part of it; little-endian */
		word &= (1ull << (left * 8)) - 1;
	hash_add(h, word);
	return 0;
}

#define HASH_WORDS 3

/* Of some words, and of the bytes from `at` to `end` in the scratch's space. */
static __noinline __u64 hash_scratch(struct scratch *scratch, __u32 at, __u32 end,
				     const __u64 words[HASH_WORDS])
{
	struct hash h = {
		.v0 = object_key[0] ^ 0x736f6d6570736575,
		.v1 = object_key[1] ^ 0x646f72616e646f6d,
		.v2 = object_key[0] ^ 0x6c7967656e657261,
		.v3 = object_key[1] ^ 0x7465646279746573,
		.scratch = scratch,
		.at = at,
		.end = end,
	};
	int i;

	for (i = 0; i < HASH_WORDS; i++)
		hash_add(&h, words[i]);
	bpf_loop((end - at + sizeof(__u64) - 1) / sizeof(__u64), hash_word, &h, 0);
	hash_add(&h, (__u64)(end - at) << 56 | (end - at));
	h.v2 ^= 0xff;
	hash_round(&h);
	hash_round(&h);
	hash_round(&h);
	hash_round(&h);
	return h.v0 ^ h.v1 ^ h.v2 ^ h.v3;
}

#endif
