/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What the parts of the subset construction share: subset.c, which finds the edges, states.c, which
 * numbers the sets, and prune.c, which keeps them small.
 */
#pragma once

#include "nfa.h"

/* Most states have the rules of few: the rows of some sets of rules, each at its hash. */
#define ROW_CACHE 512
#define ROW_CACHE_RULES 15

struct row_cache {
	uint32_t n_rules, row;
	uint32_t rules[ROW_CACHE_RULES];
	bool used;
};

struct builder {
	const struct nfa *nfa;
	const struct automaton_rules *rules;
	const char *why;
	struct automaton *automaton;
	size_t n_edges;
	uint64_t work;
	bool *has_except; /* by rule */
	bool any_except;
	uint32_t *before; /* by rule, of prune.c */
	uint32_t *pool; /* the sets of all states, each ascending */
	size_t n_pool;
	size_t *set_at; /* by state: where its set starts; one more behind the last */
	uint32_t *table; /* hash of a set: 1 + state */
	size_t table_size; /* a power of two */
	uint32_t *items; /* the set being put together */
	size_t n_items;
	uint32_t *matched; /* rules, for callbacks */
	size_t n_matched;
	uint32_t *marks; /* of the set that becomes a state */
	size_t items_size, matched_size, marks_size; /* these are filled anew for each set */
	struct row_cache *rows; /* ROW_CACHE of them */
};

/* Counts against AUTOMATON_WORK_MAX. */
int builder_work(struct builder *b, size_t amount);

/* To b->items and b->matched. 0 or -ENOMEM. */
int builder_add_item(struct builder *b, uint32_t item);
int builder_add_matched(struct builder *b, uint32_t rule);

/*
 * Sorts the set in b->items, and drops from it what cannot change anything because of the rules
 * that match whatever follows. Without that the sets would remember every "**" they went through,
 * and there would be one state for each combination of them.
 */
int builder_prune(struct builder *b);

/* The rule that most of the sets are there for, from the sets so far; blame.c. False: not known. */
bool builder_blame(const struct builder *b, uint32_t *ret_rule);

/* Settles the set in b->items; its state, made where it is not there yet. */
int builder_state(struct builder *b, uint32_t *ret_state);
