/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The globs as a nondeterministic automaton. Only for this room.
 *
 * A node is a place in a glob. Globs that begin alike share their first nodes, so that ten thousand
 * globs like "**" followed by a name have one loop and not ten thousand.
 *
 * What is true at a time is a set of items. Item i below n_nodes is "we may be at node i". Item
 * n_nodes + 2 * rule + except is a mark: "a glob of this rule matches, and will whatever follows".
 */
#pragma once

#include "automaton.h"

/* Lists of all nodes in one array: node n has those from first[n] to first[n + 1]. */
struct nfa_edges {
	uint32_t *first;
	struct nfa_edge {
		uint32_t label; /* a class of bytes, or a set's number */
		uint32_t target;
	} * all;
};

struct nfa_items {
	uint32_t *first;
	uint32_t *all;
};

/* A set of byte classes. */
struct nfa_set {
	struct glob_set in;
	struct glob_set odd; /* those that are in it where class 0 is not, or the other way */
};

/* Which globs may still match for a path that is at a node. */
struct nfa_reach {
	uint64_t influence; /* of all their rules together */
	uint32_t low[2], high[2]; /* their rules' numbers; [1]: of exceptions; low > high: none */
	uint64_t undoable; /* bit set of rules that have exceptions, see nfa.undoable */
};

/* Any rule that has no bit of its own, where a glob of it may match. */
#define NFA_OTHERS (UINT64_C(1) << 63)

struct nfa {
	uint8_t byte_class[256];
	uint32_t n_nodes;
	uint32_t *loop; /* by node: 1 + the number of the set it stays on for; 0: none */
	struct nfa_edges bytes; /* one class each */
	struct nfa_edges sets;
	struct nfa_items ends; /* 2 * rule + except, of the globs that end at the node */
	struct nfa_reach *reach; /* by node */
	uint64_t *undoable; /* by rule: its bit in nfa_reach.undoable; NFA_OTHERS: none */
	struct nfa_items closure; /* what is true as soon as the node is reached */
	struct nfa_set *class_sets;
	size_t n_sets;
};

/* -EINVAL for a glob that is none, -E2BIG with the limit in `refusal`, -ENOMEM. */
int nfa_build(const struct automaton_pattern *patterns, size_t n_patterns,
	      const struct automaton_rules *rules, struct nfa **ret_nfa,
	      struct automaton_refusal *refusal);

/* Fills nfa->closure, with the edges that take no byte; closure.c. 0, -E2BIG, -ENOMEM. */
int nfa_close(struct nfa *nfa, const struct nfa_edges *silent);

void nfa_free(struct nfa *nfa);
DEFINE_CLEANUP(struct nfa, nfa_free)
