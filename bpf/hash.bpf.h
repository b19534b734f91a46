/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * The hash by which held objects are compared: SipHash-2-4 (Aumasson and Bernstein, 2012) of what
 * lies in the scratch, with a key that only the kernel side knows. A process can neither choose a
 * name with another's hash nor learn one.
 */
#pragma once

#include "begin.bpf.h"
#include "name.bpf.h"

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

/*
 * --- Arguments that are longer than a number go into the request by their hash. They are read
 * before the object's path is built, at the beginning of the scratch, where no path of a single
 * object reaches.
 */
#define REQUEST_MAX 4096 /* bytes that are compared */

/* Adds what lies at the beginning of the scratch; `size` is all of it. */
static __always_inline void request_add(struct operation *o, __u32 length, __u64 size)
{
	const __u64 words[HASH_WORDS] = { o->d->request.path.value, size };

	o->d->request.path.value = hash_scratch(o->scratch, 0, length, words);
}

/* A text of the kernel's. One that cannot be read is as good as an empty one. */
static __noinline int request_add_string(struct operation *o, const char *text)
{
	long length = bpf_probe_read_kernel_str(o->scratch->data, REQUEST_MAX, text);

	if (length < 0 || length > REQUEST_MAX)
		length = 0;
	request_add(o, length, length);
	return 0;
}

/* Of very many bytes, the first and the number. */
static __noinline int request_add_bytes(struct operation *o, const void *bytes, __u32 size)
{
	__u32 length = size;

	if (length > REQUEST_MAX)
		length = REQUEST_MAX;
	barrier_var(length); /* else the compiler bounds another register than it uses */
	length &= 2 * REQUEST_MAX - 1;
	if (bpf_probe_read_kernel(o->scratch->data, length, bytes))
		length = 0;
	request_add(o, length, size);
	return 0;
}
