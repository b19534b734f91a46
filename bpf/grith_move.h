/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Whether what has one name may have another: a rename or a link must not give more than the
 * policy gives under each of the two names. Compiled for both sides, so that the kernel's
 * comparison is tested without a kernel. It follows the image of grith_abi.h and knows nothing of
 * hooks.
 *
 * Two directions:
 *   kept     what may be done with the object must not be less restricted under the new name
 *   planted  what may be put under the new name must not be what could not be made there
 *
 * A directory takes along all that is below it. What the automaton knows behind "/directory/" is
 * the same for everything in it, so two names of it are compared by a walk over pairs of states, in
 * step over every continuation (the product of two automata, Hopcroft and Karp 1971). Equal states
 * have equal continuations.
 */
#pragma once

#include "grith_abi.h"

#define GRITH_CLASS_BIT(class) (1u << GRITH_OP_CLASS_##class)

/* What may be done with an object itself, whatever it is called; by what it is. */
#define GRITH_KEPT_FILE                                                               \
	(GRITH_CLASS_BIT(READ) | GRITH_CLASS_BIT(WRITE) | GRITH_CLASS_BIT(METADATA) | \
	 GRITH_CLASS_BIT(EXEC))
#define GRITH_KEPT_SOCKET (GRITH_CLASS_BIT(CONNECT) | GRITH_CLASS_BIT(METADATA))
#define GRITH_KEPT_DIRECTORY (GRITH_CLASS_BIT(LIST) | GRITH_CLASS_BIT(METADATA))
#define GRITH_KEPT_SYMLINK GRITH_CLASS_BIT(METADATA)
#define GRITH_KEPT_BELOW                                                                        \
	(GRITH_KEPT_FILE | GRITH_KEPT_SOCKET | GRITH_KEPT_DIRECTORY | GRITH_CLASS_BIT(CREATE) | \
	 GRITH_CLASS_BIT(DELETE))

/* What makes an object appear under a name. */
#define GRITH_PLANTED_FILE (GRITH_CLASS_BIT(CREATE) | GRITH_CLASS_BIT(WRITE))
#define GRITH_PLANTED_SOCKET GRITH_CLASS_BIT(BIND)
#define GRITH_PLANTED_OTHER GRITH_CLASS_BIT(CREATE)
#define GRITH_PLANTED_BELOW (GRITH_PLANTED_FILE | GRITH_PLANTED_SOCKET)

/*
 * Keeps an index from being proven small by the compiler, which would leave out the mask that the
 * verifier needs to see.
 */
static __always_inline __u32 grith_image_word(const __u32 *image, __u32 index)
{
	__asm__ volatile("" : "+r"(index));
	return image[index & GRITH_IMAGE_MASK];
}

static __always_inline __u16 grith_image_half(const __u32 *image, __u32 index)
{
	__asm__ volatile("" : "+r"(index));
	return ((const __u16 *)image)[index & (2 * GRITH_IMAGE_WORDS - 1)];
}

static __always_inline struct grith_outcome grith_row_outcome(const __u32 *image, __u32 row,
							      __u32 op_class)
{
	const struct grith_image_header *header = (const void *)image;
	__u32 number =
		grith_image_half(image, 2 * (header->rows + row * GRITH_ROW_WORDS) + op_class);
	union {
		__u32 words[2];
		struct grith_outcome outcome;
	} u;

	u.words[0] = grith_image_word(image, header->outcomes + 2 * number);
	u.words[1] = grith_image_word(image, header->outcomes + 2 * number + 1);
	if (!number) /* never referred to by a sound image */
		u.outcome.verdict = GRITH_DENY;
	return u.outcome;
}

/* One step of the automaton by a class of bytes. */
static __always_inline __u32 grith_state_next(const __u32 *image, __u32 state, __u32 class)
{
	__u32 word = grith_image_word(image, state + class);

	if (word >> GRITH_IMAGE_TAG_SHIFT != class)
		word = grith_image_word(image, state);
	return word & GRITH_IMAGE_NEXT & GRITH_IMAGE_MASK;
}

static __always_inline __u32 grith_state_row(const __u32 *image, __u32 state)
{
	return grith_image_word(image, state + 1) & GRITH_IMAGE_NEXT;
}

/* What an outcome comes to in a session that has done nothing. */
static __always_inline __u8 grith_verdict_of(struct grith_outcome outcome, __s16 hold, __s16 deny)
{
	if (outcome.verdict != GRITH_ALLOW || (!hold && !deny))
		return outcome.verdict;
	return outcome.score > deny ? GRITH_DENY : outcome.score > hold ? GRITH_HOLD : GRITH_ALLOW;
}

/* Labels that say something of the object, and not of where it lies. */
static __always_inline __u16 grith_lost_labels(const __u32 *image, struct grith_outcome from,
					       struct grith_outcome to)
{
	const struct grith_image_header *header = (const void *)image;

	return from.labels & ~to.labels & ~header->project;
}

/* What is denied under the new name gives nothing; where all verdicts are equal, marks count. */
static __always_inline int grith_loses_marks(const __u32 *image, struct grith_outcome from,
					     struct grith_outcome to)
{
	return grith_lost_labels(image, from, to) ||
	       from.flags & ~to.flags & GRITH_OUTCOME_INSPECT_ARGV;
}

/* --- below a directory */

/*
 * Limits of a walk; beyond them two names are not compared and nothing is moved (fail closed). The
 * shipped policies need up to 500 pairs and 31,000 steps.
 */
#define GRITH_WALK_PAIRS 8192 /* a power of two */
#define GRITH_WALK_SLOTS (4 * GRITH_WALK_PAIRS)
#define GRITH_WALK_STEPS (1u << 19)
#define GRITH_WALK_PROBES 8

/* A pair of states, and whether the byte before was a slash: then no slash and no end follows. */
#define GRITH_PAIR(from, to, slash) ((__u64)(slash) << 40 | (__u64)(from) << 20 | (to))
_Static_assert(GRITH_IMAGE_WORDS == 1 << 20, "a state has 20 bits in a pair");

/* What two names of a directory come to. All zero: nothing below differs in what it gives. */
struct grith_move {
	__u16 rule; /* as in struct grith_outcome: whose restriction would be lost or evaded */
	__u8 why; /* enum grith_move_why */
	__u8 op_class; /* enum grith_op_class */
};

/*
 * A walk, and memory for it, of one user at a time. All of it is in one place, a map's value in the
 * kernel: of numbers there the verifier knows nothing, and so goes through a step once.
 */
struct grith_walk {
	__u64 busy;
	__u64 turn; /* counts its users: what an earlier one left need not be cleared */
	__u32 head, tail; /* of the queue */
	__u32 from, to; /* the states that are looked at */
	__u32 from_row, to_row;
	__u32 slash;
	__u32 step; /* op classes first, then classes of bytes */
	__u32 slash_class, classes; /* of bytes */
	__s16 hold, deny; /* the session's thresholds */
	struct grith_move result;
	struct {
		__u64 pair, turn;
	} met[GRITH_WALK_SLOTS];
	__u64 queue[GRITH_WALK_PAIRS]; /* pairs in the order in which they were met */
};

/* Enters a pair that was not met before; 0: no room. */
static __always_inline int grith_walk_meet(struct grith_walk *w, __u32 from, __u32 to, __u32 slash)
{
	__u64 pair = GRITH_PAIR(from, to, slash);
	__u32 at = pair * 0x9e3779b97f4a7c15ull >> 40; /* Knuth's multiplicative hash */
	int i;

	if (from == to)
		return 1;
	for (i = 0; i < GRITH_WALK_PROBES; i++, at++) {
		__u32 slot = at;

		__asm__ volatile("" : "+r"(slot));
		slot &= GRITH_WALK_SLOTS - 1;
		if (w->met[slot].turn != w->turn) {
			__u32 tail = w->tail;

			if (tail >= GRITH_WALK_PAIRS)
				return 0;
			w->met[slot].pair = pair;
			w->met[slot].turn = w->turn;
			w->queue[tail] = pair;
			w->tail = tail + 1;
			return 1;
		}
		if (w->met[slot].pair == pair)
			return 1;
	}
	return 0;
}

static __always_inline long grith_walk_end(struct grith_walk *w, __u32 why, __u16 rule)
{
	w->result.why = why;
	w->result.rule = rule;
	w->result.op_class = w->step < GRITH_OP_CLASSES ? w->step : 0;
	return 1;
}

/* One op class of what ends here. */
static __always_inline long grith_walk_compare(const __u32 *image, struct grith_walk *w)
{
	struct grith_outcome from = grith_row_outcome(image, w->from_row, w->step);
	struct grith_outcome to = grith_row_outcome(image, w->to_row, w->step);
	__u8 a = grith_verdict_of(from, w->hold, w->deny),
	     b = grith_verdict_of(to, w->hold, w->deny);

	if (GRITH_KEPT_BELOW >> w->step & 1 && b < GRITH_DENY &&
	    (a > b || grith_loses_marks(image, from, to)))
		return grith_walk_end(w, GRITH_MOVE_OLD, from.rule);
	if (GRITH_PLANTED_BELOW >> w->step & 1 && a < GRITH_DENY && b > a)
		return grith_walk_end(w, GRITH_MOVE_NEW, to.rule);
	w->step++;
	return 0;
}

/* One class of bytes that may follow. Class 1 is none, see struct grith_image_header. */
static __always_inline long grith_walk_byte(const __u32 *image, struct grith_walk *w)
{
	__u32 class = w->step++ - GRITH_OP_CLASSES;
	__u32 is_slash = class == w->slash_class;

	if (class == 1 || (is_slash && w->slash))
		return 0;
	if (!grith_walk_meet(w, grith_state_next(image, w->from, class),
			     grith_state_next(image, w->to, class), is_slash))
		return grith_walk_end(w, GRITH_MOVE_FAR, 0);
	return 0;
}

/* 0: there is more to do; else the walk has ended and w->result is known. */
static __always_inline long grith_walk_step(const __u32 *image, struct grith_walk *w)
{
	__u32 head = w->head;
	__u64 pair;

	if (w->step < GRITH_OP_CLASSES)
		return grith_walk_compare(image, w);
	if (w->step < GRITH_OP_CLASSES + w->classes)
		return grith_walk_byte(image, w);
	if (head >= w->tail || head >= GRITH_WALK_PAIRS)
		return 1;
	pair = w->queue[head];
	w->head = head + 1;
	w->from = pair >> 20 & GRITH_IMAGE_MASK;
	w->to = pair & GRITH_IMAGE_MASK;
	w->slash = pair >> 40 & 1;
	w->from_row = grith_state_row(image, w->from);
	w->to_row = grith_state_row(image, w->to);
	w->step = w->slash || w->from_row == w->to_row ? GRITH_OP_CLASSES : 0;
	return 0;
}

/*
 * Begins a walk below the directories whose names end in the two states; `w` is the caller's
 * alone. Then grith_walk_step() is to be called until it returns 1; a result that is not there
 * after GRITH_WALK_STEPS is GRITH_MOVE_FAR.
 */
static __always_inline void grith_walk_begin(const __u32 *image, struct grith_walk *w, __u32 from,
					     __u32 to)
{
	const struct grith_image_header *header = (const void *)image;

	w->turn++;
	w->head = w->tail = 0;
	w->slash_class = header->byte_class['/'];
	w->classes = header->byte_classes ?: 256; /* 0: an image that does not say */
	w->step = GRITH_OP_CLASSES + w->classes;
	w->result = (struct grith_move) { 0 };
	grith_walk_meet(w, grith_state_next(image, from, w->slash_class),
			grith_state_next(image, to, w->slash_class), 1);
}
