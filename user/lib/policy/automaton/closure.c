/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Epsilon closure: for each node of the nondeterministic automaton, all that is true once it is
 * reached, so that no step of the subset construction follows links that take no byte.
 */
#include "lib/base/base.h"
#include "nfa.h"

/* Collects closures. `seen` and `deep` hold the round in which a node was met last. */
struct closer {
	struct nfa *nfa;
	const struct nfa_edges *silent; /* links that take no byte */
	uint32_t *seen, *deep;
	uint32_t *stack, *deep_stack;
	size_t n_items;
};

static uint32_t count(const uint32_t *first, uint32_t node)
{
	return first[node + 1] - first[node];
}

static bool stays_on_all(const struct nfa *nfa, uint32_t node)
{
	static const struct glob_set none;
	const struct nfa_set *set;

	if (!nfa->loop[node])
		return false;
	set = &nfa->class_sets[nfa->loop[node] - 1];
	return memcmp(&set->odd, &none, sizeof(none)) == 0 && glob_set_has(&set->in, 0);
}

static int put(struct closer *c, uint32_t item)
{
	struct nfa_items *closure = &c->nfa->closure;

	if (c->n_items >= AUTOMATON_WORK_MAX)
		return -E2BIG;
	if (ARRAY_GROW(closure->all, c->n_items) < 0)
		return -ENOMEM;
	closure->all[c->n_items++] = item;
	return 0;
}

/* Pushes where a node leads without a byte. */
static void push_silent(const struct closer *c, uint32_t node, uint32_t *stack, size_t *depth,
			uint32_t *seen, uint32_t round)
{
	for (uint32_t i = c->silent->first[node]; i < c->silent->first[node + 1]; i++) {
		uint32_t target = c->silent->all[i].target;

		if (seen[target] == round)
			continue;
		seen[target] = round;
		stack[(*depth)++] = target;
	}
}

/*
 * A node that stays on every byte is never left: what ends here or where it leads without a byte
 * matches from now on for ever, and becomes marks. 1 if globs also go on from here, else 0.
 */
static int put_marks(struct closer *c, uint32_t loop, uint32_t round)
{
	const struct nfa *nfa = c->nfa;
	size_t depth = 0;
	int goes_on = 0, r;

	c->deep[loop] = round;
	c->deep_stack[depth++] = loop;
	while (depth) {
		uint32_t node = c->deep_stack[--depth];

		for (uint32_t i = nfa->ends.first[node]; i < nfa->ends.first[node + 1]; i++) {
			r = put(c, nfa->n_nodes + nfa->ends.all[i]);
			if (r < 0)
				return r;
		}
		if (count(nfa->sets.first, node) || (node != loop && nfa->loop[node]))
			goes_on = 1;
		for (uint32_t i = nfa->bytes.first[node]; i < nfa->bytes.first[node + 1]; i++)
			if (nfa->bytes.all[i].target != loop)
				goes_on = 1;
		push_silent(c, node, c->deep_stack, &depth, c->deep, round);
	}
	return goes_on;
}

/* `round` differs for every call with the same `deep`. */
static int close_node(struct closer *c, uint32_t start, uint32_t *round)
{
	const struct nfa *nfa = c->nfa;
	uint32_t outer = start + 1;
	size_t depth = 0;
	int r;

	c->seen[start] = outer;
	c->stack[depth++] = start;
	while (depth) {
		uint32_t node = c->stack[--depth];
		bool lives = nfa->loop[node] || count(nfa->bytes.first, node) ||
			     count(nfa->sets.first, node) || count(nfa->ends.first, node);

		if (stays_on_all(nfa, node)) {
			r = put_marks(c, node, ++*round);
			if (r < 0)
				return r;
			if (!r)
				continue;
		}
		if (lives) {
			r = put(c, node);
			if (r < 0)
				return r;
		}
		push_silent(c, node, c->stack, &depth, c->seen, outer);
	}
	return 0;
}

static int close_all(struct closer *c)
{
	struct nfa *nfa = c->nfa;
	uint32_t round = 0;
	int r;

	nfa->closure.first = calloc(nfa->n_nodes + 2, sizeof(*nfa->closure.first));
	if (!nfa->closure.first)
		return -ENOMEM;
	for (uint32_t node = 0; node < nfa->n_nodes; node++) {
		nfa->closure.first[node] = c->n_items;
		r = close_node(c, node, &round);
		if (r < 0)
			return r;
	}
	nfa->closure.first[nfa->n_nodes] = c->n_items;
	return 0;
}

int nfa_close(struct nfa *nfa, const struct nfa_edges *silent)
{
	size_t n = nfa->n_nodes;
	OWNED_MEM uint32_t *arrays = calloc(4 * n + 1, sizeof(*arrays));
	struct closer c = { .nfa = nfa, .silent = silent, .seen = arrays };

	if (!arrays)
		return -ENOMEM;
	c.deep = arrays + n;
	c.stack = arrays + 2 * n;
	c.deep_stack = arrays + 3 * n;
	return close_all(&c);
}
