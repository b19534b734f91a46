/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Look-ups in a policy's image: all that follow an index in it are here. It knows nothing of hooks
 * and records. An image is made by grithd and trusted to mean what it says, but every index in it
 * is masked, so that a broken one can only give a wrong verdict.
 *
 * Where there is nothing to read the verdict from, it is `deny`.
 */
#pragma once

#include "maps.bpf.h"

#define OUTCOME_DENY ((struct grith_outcome) { .verdict = GRITH_DENY })
#define SCAN_CHUNK 64 /* bytes of a path for one call of bpf_loop()'s function */

/* The automaton while it reads a text. */
struct scan {
	const __u32 *image;
	const struct scratch *scratch;
	__u32 at;
	__u32 end;
	__u32 state;
};

static __always_inline const __u32 *image_of_slot(__u32 slot)
{
	const __u32 zero = 0;
	void *inner = bpf_map_lookup_elem(&images, &slot);

	return inner ? bpf_map_lookup_elem(inner, &zero) : NULL;
}

/* NULL: the session has none, and is refused everything that needs one (fail closed). */
static __always_inline const __u32 *image_of_session(const struct grith_session *session)
{
	const __u32 *image = image_of_slot(session->image);

	if (!image)
		count(GRITH_COUNT_NO_IMAGE);
	return image;
}

/*
 * The barriers keep the compiler from leaving out a mask that it can prove needless: the verifier
 * may not know what the compiler knew.
 */
static __always_inline __u32 image_word(const __u32 *image, __u32 index)
{
	barrier_var(index);
	return image[index & GRITH_IMAGE_MASK];
}

static __always_inline __u16 image_half(const __u32 *image, __u32 index)
{
	barrier_var(index);
	return ((const __u16 *)image)[index & (2 * GRITH_IMAGE_WORDS - 1)];
}

static __always_inline struct grith_outcome image_outcome(const __u32 *image, __u16 number)
{
	const struct grith_image_header *header = (const void *)image;
	union {
		__u32 words[2];
		struct grith_outcome outcome;
	} u;
	__u32 at = header->outcomes + 2 * number;

	if (!number) /* never referred to by a sound image */
		return OUTCOME_DENY;
	u.words[0] = image_word(image, at);
	u.words[1] = image_word(image, at + 1);
	return u.outcome;
}

/*
 * One step a byte, see grith_abi.h. The cost of a byte matters most of all here: hence the
 * plain pointer, the one count, which the barrier keeps the compiler from replacing, and a state
 * that keeps its tag, which the mask of the index takes off.
 */
static long scan_chunk(__u32 i, struct scan *s)
{
	const __u32 *image = s->image;
	const __u8 *byte_class = ((const struct grith_image_header *)image)->byte_class;
	__u32 at = s->at + i * SCAN_CHUNK, state = s->state;
	int left = s->end - at;
	const __u8 *text;

	if (at >= SCRATCH_SPACE || left <= 0)
		return 1;
	if (left > SCAN_CHUNK)
		left = SCAN_CHUNK;
	text = (const __u8 *)s->scratch->data + at;
	do {
		__u32 c = byte_class[*text++];
		__u32 word = image_word(image, state + c);

		if (word >> GRITH_IMAGE_TAG_SHIFT != c)
			word = image_word(image, state);
		state = word;
		left--;
		barrier_var(left);
	} while (left > 0);
	s->state = state;
	return 0;
}

/* The automaton's state behind the text from `at` to `end` in the scratch. */
static __noinline __u32 image_state(const __u32 *image, const struct scratch *scratch, __u32 at,
				    __u32 end)
{
	const struct grith_image_header *header = (const void *)image;
	struct scan s = { image, scratch, at, end, header->start };

	bpf_loop((end - at + SCAN_CHUNK - 1) / SCAN_CHUNK, scan_chunk, &s, 0);
	return s.state & GRITH_IMAGE_MASK;
}

/* The row for the text from `at` to `end` in the scratch. */
static __always_inline __u32 image_row(const __u32 *image, const struct scratch *scratch, __u32 at,
				       __u32 end)
{
	return image_word(image, image_state(image, scratch, at, end) + 1) & GRITH_IMAGE_NEXT;
}

/* The outcome that a member of the header, at `offset`, refers to. */
static __always_inline struct grith_outcome fixed_outcome(const struct grith_session *session,
							  __u32 offset)
{
	const __u32 *image = image_of_session(session);

	return image ? image_outcome(image, image_half(image, offset / sizeof(__u16)))
		     : OUTCOME_DENY;
}
#define FIXED_OUTCOME(session, member) \
	fixed_outcome(session, __builtin_offsetof(struct grith_image_header, member))

static __always_inline struct grith_outcome row_outcome(const __u32 *image, __u32 row,
							enum grith_op_class op_class)
{
	const struct grith_image_header *header = (const void *)image;

	return image_outcome(
		image, image_half(image, 2 * (header->rows + row * GRITH_ROW_WORDS) + op_class));
}

/* Where the header's table of families begins, in 16-bit units. */
#define SOCKET_OUTCOMES (__builtin_offsetof(struct grith_image_header, socket) / sizeof(__u16))

/* Families beyond the table are newer than it, and refused. */
static __always_inline struct grith_outcome socket_outcome(const __u32 *image, __u32 family,
							   bool raw)
{
	if (family >= GRITH_FAMILIES)
		return OUTCOME_DENY;
	return image_outcome(image,
			     image_half(image, SOCKET_OUTCOMES + raw * GRITH_FAMILIES + family));
}

/*
 * Of two outcomes for one operation: the stricter verdict, then the higher score. The first may be
 * empty, as at the beginning of an operation: then the second has its rule to give.
 */
static __always_inline struct grith_outcome stricter(struct grith_outcome a, struct grith_outcome b)
{
	if (b.verdict > a.verdict || (b.verdict == a.verdict && (b.score > a.score || !a.rule)))
		return b;
	return a;
}
