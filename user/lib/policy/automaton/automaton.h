/* SPDX-License-Identifier: MPL-2.0 */
/*
 * From many globs to one minimal automaton that reads a path once, byte by byte, and to the words
 * that the kernel runs it from. Rules are numbers here; the caller gives each different outcome of
 * a set of matching rules a number, a row. No library makes tables that BPF can walk, or stops at a
 * bound: RE2 and Vectorscan only match themselves.
 *
 * trie.c      the globs as a trie in which equal beginnings are shared
 * nfa.c       the trie as the edges of a nondeterministic automaton; with closure.c
 * subset.c    subset construction: a state for each set of NFA nodes; with states.c, prune.c
 * blame.c     which rule made it too large
 * minimize.c  partition refinement: states that no path can tell apart become one
 * pack.c      row displacement: states interleaved in an array, as grith_abi.h describes
 */
#pragma once

#include "lib/base/base.h"
#include "glob.h"

/* Limits. What goes beyond one of them ends in -E2BIG and a sentence that names it. */
#define AUTOMATON_NODES_MAX 4000000 /* of the trie */
#define AUTOMATON_STATES_MAX 500000 /* before minimising */
#define AUTOMATON_WORK_MAX 100000000 /* places looked at: a bound on time */
#define AUTOMATON_SETS_MAX 4096 /* different bracket expressions like [a-z] */
#define AUTOMATON_CLASSES_MAX 256 /* byte class 0, then 2 to 255 */

/* Rule `rule` matches what one of its globs matches unless one of its exceptions does too. */
struct automaton_pattern {
	const char *glob;
	uint32_t rule;
	bool except;
};

struct automaton_rules {
	void *arg;
	/* The row for paths that exactly these rules match; `rules` ascends and may be empty. */
	int (*row)(void *arg, const uint32_t *rules, size_t n_rules, uint32_t *ret_row);
	/* Drops rules that cannot change the row of any larger set; returns how many are left. */
	size_t (*drop_shadowed)(void *arg, uint32_t *rules, size_t n_rules);
	/*
	 * Whether any rules up to number `top` can still change the row when `rules` match; the
	 * bits are those of influence() of all of them.
	 */
	uint64_t (*influence)(void *arg, uint32_t rule);
	bool (*can_change)(void *arg, const uint32_t *rules, size_t n_rules, uint32_t top,
			   uint64_t influence);
};

/* Why globs cannot be made an automaton. Starts as {0}. */
struct automaton_refusal {
	const char *why; /* a constant sentence that names the limit; NULL: none was hit */
	bool has_rule;
	uint32_t rule; /* that has most part in it */
};

struct automaton_edge {
	uint8_t class;
	uint32_t target;
};

/* A state has an edge for each class of bytes that does not lead where class 0 leads. */
struct automaton {
	uint8_t byte_class[256];
	uint32_t start;
	uint32_t n_states;
	uint32_t *fallback; /* by state: where class 0 leads, and all classes without an edge */
	uint32_t *row; /* by state: for a path that ends here */
	uint32_t *first; /* by state: its first edge; its last is before the next state's first */
	struct automaton_edge *edges; /* of a state in ascending order of classes */
};

/*
 * 0 and an automaton, or -E2BIG with the limit in `refusal`, or what a callback returned, or
 * -ENOMEM. The globs must be good; -EINVAL otherwise.
 */
int automaton_build(const struct automaton_pattern *patterns, size_t n_patterns,
		    const struct automaton_rules *rules, struct automaton **ret_automaton,
		    struct automaton_refusal *refusal);
void automaton_free(struct automaton *automaton);
DEFINE_CLEANUP(struct automaton, automaton_free)

/* Ascending and each once; returns how many are left. */
size_t sort_unique(uint32_t *items, size_t n);

/* Merges all states that no path can tell apart. 0 or -ENOMEM with the automaton as it was. */
int automaton_minimize(struct automaton *automaton);

/*
 * Writes the states to words[first] and behind, all zero before, up to words[limit - 1]. 0, the
 * place of the start state and the word behind the last one that a walk can touch, or -E2BIG where
 * they do not fit, or -ENOMEM.
 */
int automaton_pack(const struct automaton *automaton, uint32_t *words, uint32_t first,
		   uint32_t limit, uint32_t *ret_start, uint32_t *ret_end);
