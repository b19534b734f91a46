/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Globs as a trie of their tokens: the first half of building the nondeterministic automaton. Only
 * for this room.
 */
#pragma once

#include "automaton.h"
#include "glob.h"

enum trie_kind {
	TRIE_BYTE, /* `value` is the byte */
	TRIE_SET, /* one byte of set `value` */
	TRIE_LOOP, /* without a byte, to a node that stays on set `value` */
	TRIE_TREE, /* without a byte, to the node where a "**" may still be nothing */
	TRIE_INTO, /* '/', from there to the node that stays on every byte */
	TRIE_BACK, /* without a byte, from the latter to the former */
};

/* A link by what identifies it; `to` is in the trie. */
struct trie_link {
	uint32_t from;
	uint16_t value;
	uint8_t kind;
	uint8_t zero; /* no padding: links are compared by their bytes */
};

struct trie_end {
	uint32_t node;
	uint32_t mark; /* 2 * rule + except */
};

struct trie {
	struct intern links; /* struct trie_link, by their order */
	uint32_t *to; /* by link */
	uint32_t *loop; /* by node: 1 + set, or 0 */
	uint32_t n_nodes; /* node 0 is the root */
	struct trie_end *ends;
	size_t n_ends;
	struct intern sets; /* struct glob_set, by their number */
};

static inline const struct trie_link *trie_link(const struct trie *trie, size_t number)
{
	return (const struct trie_link *)trie->links.values + number;
}

static inline const struct glob_set *trie_set(const struct trie *trie, size_t number)
{
	return (const struct glob_set *)trie->sets.values + number;
}

/* What an empty one starts as. */
#define TRIE_LINKS .links = { .size = sizeof(struct trie_link), .max = UINT32_MAX }
#define TRIE_SETS .sets = { .size = sizeof(struct glob_set), .max = AUTOMATON_SETS_MAX }

/* Errors as automaton_build(). */
int trie_add(struct trie *trie, const struct automaton_pattern *pattern, const char **ret_why);
void trie_clear(struct trie *trie);
