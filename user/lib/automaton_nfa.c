/* SPDX-License-Identifier: MPL-2.0 */
/*
 * From the trie to what the subset construction walks: classes of bytes instead of bytes, edges as
 * plain lists, and for each node all that is true once it is reached, so that no step has to look
 * for links that take no byte.
 */
#include <string.h>

#include "array.h"
#include "automaton_nfa.h"
#include "automaton_trie.h"

/*
 * Two bytes are of one class if no glob tells them apart. Class 0 is that of NUL, which no glob can
 * name; class 1 is left out because the image has another use for its number.
 */
static int number_classes(struct nfa *nfa, const struct trie *trie, const char **ret_why)
{
	uint16_t class[256] = { 0 }, number[258] = { 0 };
	unsigned int n = 2, next = 2; /* 1 is a mark below */

	for (size_t i = 0; i < trie->n_links; i++) {
		const struct trie_link *link = &trie->links[i];

		/* A byte that is named alone. */
		if (link->kind == TRIE_BYTE || link->kind == TRIE_INTO)
			class[link->value] = 1;
	}
	for (unsigned int c = 0; c < 256; c++)
		if (class[c])
			class[c] = n++;
	for (size_t i = 0; i < trie->n_sets; i++) {
		uint16_t split[258] = { 0 };
		unsigned int before = n;

		/* Of each class that the set cuts, the part inside gets a number of its own. */
		for (unsigned int c = 0; c < 256; c++)
			if (!glob_set_has(&trie->sets[i], c))
				split[class[c]] = 1;
		for (unsigned int c = 0; c < 256; c++) {
			if (!glob_set_has(&trie->sets[i], c) || class[c] >= before)
				continue;
			if (split[class[c]] == 1)
				split[class[c]] = n++;
			if (split[class[c]])
				class[c] = split[class[c]];
		}
	}
	for (unsigned int c = 0; c < 256; c++) {
		if (class[c] == class[0])
			continue;
		if (!number[class[c]])
			number[class[c]] = next++;
		if (next > AUTOMATON_CLASSES_MAX) {
			*ret_why = "too many different bytes in the globs (AUTOMATON_CLASSES_MAX, "
				   "256 kinds): use * or ? for some";
			return -E2BIG;
		}
		nfa->byte_class[c] = number[class[c]];
	}
	return 0;
}

static int number_sets(struct nfa *nfa, const struct trie *trie)
{
	nfa->class_sets = calloc(trie->n_sets + 1, sizeof(*nfa->class_sets));
	if (!nfa->class_sets)
		return -ENOMEM;
	nfa->n_sets = trie->n_sets;
	for (size_t i = 0; i < trie->n_sets; i++) {
		struct nfa_set *set = &nfa->class_sets[i];
		uint64_t seen[4] = { 0 };

		for (unsigned int c = 0; c < 256; c++) {
			uint8_t class = nfa->byte_class[c];

			if (glob_set_has(&trie->sets[i], c))
				set->bits[class / 64] |= UINT64_C(1) << (class % 64);
		}
		for (unsigned int c = 0; c < 256; c++) {
			uint8_t class = nfa->byte_class[c];

			if (seen[class / 64] >> (class % 64) & 1 ||
			    nfa_set_has(set, class) == nfa_set_has(set, 0))
				continue;
			seen[class / 64] |= UINT64_C(1) << (class % 64);
			set->odd[set->n_odd++] = class;
		}
	}
	return 0;
}

static bool takes_byte(const struct trie_link *link)
{
	return link->kind == TRIE_BYTE || link->kind == TRIE_INTO;
}

static bool takes_set(const struct trie_link *link)
{
	return link->kind == TRIE_SET;
}

static bool takes_nothing(const struct trie_link *link)
{
	return !takes_byte(link) && !takes_set(link);
}

/* Turns counts at first[n + 1] into where each node's list starts. */
static void add_up(uint32_t *first, uint32_t n_nodes)
{
	for (uint32_t n = 0; n < n_nodes; n++)
		first[n + 1] += first[n];
}

/* All links of one kind, in the order of their nodes. */
static int list_edges(const struct nfa *nfa, const struct trie *trie,
		      bool (*wanted)(const struct trie_link *link), struct nfa_edges *edges)
{
	OWNED_MEM uint32_t *at = calloc(nfa->n_nodes + 1, sizeof(*at));

	edges->first = calloc(nfa->n_nodes + 2, sizeof(*edges->first));
	edges->all = calloc(trie->n_links + 1, sizeof(*edges->all));
	if (!at || !edges->first || !edges->all)
		return -ENOMEM;
	for (size_t i = 0; i < trie->n_links; i++)
		edges->first[trie->links[i].from + 1] += wanted(&trie->links[i]);
	add_up(edges->first, nfa->n_nodes);
	memcpy(at, edges->first, (nfa->n_nodes + 1) * sizeof(*at));
	for (size_t i = 0; i < trie->n_links; i++) {
		const struct trie_link *link = &trie->links[i];

		if (wanted(link))
			edges->all[at[link->from]++] = (struct nfa_edge) {
				.label = takes_byte(link) ? nfa->byte_class[link->value]
							  : link->value,
				.target = link->to,
			};
	}
	return 0;
}

static int list_ends(struct nfa *nfa, const struct trie *trie)
{
	OWNED_MEM uint32_t *at = calloc(nfa->n_nodes + 1, sizeof(*at));
	struct nfa_items *ends = &nfa->ends;

	ends->first = calloc(nfa->n_nodes + 2, sizeof(*ends->first));
	ends->all = calloc(trie->n_ends + 1, sizeof(*ends->all));
	if (!at || !ends->first || !ends->all)
		return -ENOMEM;
	for (size_t i = 0; i < trie->n_ends; i++)
		ends->first[trie->ends[i].node + 1]++;
	add_up(ends->first, nfa->n_nodes);
	memcpy(at, ends->first, (nfa->n_nodes + 1) * sizeof(*at));
	for (size_t i = 0; i < trie->n_ends; i++)
		ends->all[at[trie->ends[i].node]++] = trie->ends[i].mark;
	return 0;
}

/* Collects closures. `seen` and `deep` hold the round in which a node was met last. */
struct closer {
	struct nfa *nfa;
	struct nfa_edges silent; /* links that take no byte */
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
	const struct nfa_set *set;

	if (!nfa->loop[node])
		return false;
	set = &nfa->class_sets[nfa->loop[node] - 1];
	return !set->n_odd && nfa_set_has(set, 0);
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
	for (uint32_t i = c->silent.first[node]; i < c->silent.first[node + 1]; i++) {
		uint32_t target = c->silent.all[i].target;

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

static int find_closures(struct nfa *nfa, const struct trie *trie)
{
	OWNED_MEM uint32_t *seen = calloc(nfa->n_nodes + 1, sizeof(*seen));
	OWNED_MEM uint32_t *deep = calloc(nfa->n_nodes + 1, sizeof(*deep));
	OWNED_MEM uint32_t *stack = calloc(nfa->n_nodes + 1, sizeof(*stack));
	OWNED_MEM uint32_t *deep_stack = calloc(nfa->n_nodes + 1, sizeof(*deep_stack));
	struct closer c = {
		.nfa = nfa, .seen = seen, .deep = deep, .stack = stack, .deep_stack = deep_stack
	};
	int r = -ENOMEM;

	if (seen && deep && stack && deep_stack)
		r = list_edges(nfa, trie, takes_nothing, &c.silent);
	if (r == 0)
		r = close_all(&c);
	free(c.silent.first);
	free(c.silent.all);
	return r;
}

/* A node's children have higher numbers than it has: from the last node to the first. */
static int weigh_nodes(struct nfa *nfa, const struct trie *trie,
		       const struct automaton_rules *rules)
{
	nfa->top = calloc(nfa->n_nodes + 1, sizeof(*nfa->top));
	nfa->weight = calloc(nfa->n_nodes + 1, sizeof(*nfa->weight));
	if (!nfa->top || !nfa->weight)
		return -ENOMEM;
	for (size_t i = 0; i < trie->n_ends; i++) {
		uint32_t node = trie->ends[i].node, rule = trie->ends[i].mark / 2;

		nfa->weight[node] |= rules->weigh(rules->arg, rule);
		if (rule > nfa->top[node])
			nfa->top[node] = rule;
	}
	/* A link is as old as the node it leads to, but for TRIE_BACK. */
	for (size_t i = trie->n_links; i-- > 0;) {
		const struct trie_link *link = &trie->links[i];

		if (link->kind == TRIE_BACK)
			continue;
		nfa->weight[link->from] |= nfa->weight[link->to];
		if (nfa->top[link->to] > nfa->top[link->from])
			nfa->top[link->from] = nfa->top[link->to];
	}
	for (size_t i = 0; i < trie->n_links; i++) {
		const struct trie_link *link = &trie->links[i];

		if (link->kind != TRIE_BACK)
			continue;
		nfa->weight[link->from] = nfa->weight[link->to];
		nfa->top[link->from] = nfa->top[link->to];
	}
	return 0;
}

static int freeze(struct nfa *nfa, struct trie *trie, const struct automaton_rules *rules,
		  const char **ret_why)
{
	int r;

	nfa->n_nodes = trie->n_nodes;
	nfa->loop = TAKE_PTR(trie->loop);
	r = number_classes(nfa, trie, ret_why);
	if (r == 0)
		r = number_sets(nfa, trie);
	if (r == 0)
		r = list_edges(nfa, trie, takes_byte, &nfa->bytes);
	if (r == 0)
		r = list_edges(nfa, trie, takes_set, &nfa->sets);
	if (r == 0)
		r = list_ends(nfa, trie);
	if (r == 0)
		r = weigh_nodes(nfa, trie, rules);
	if (r < 0)
		return r;
	r = find_closures(nfa, trie);
	if (r == -E2BIG)
		*ret_why = "too many globs that begin with ** (AUTOMATON_WORK_MAX): give them a "
			   "directory to begin with";
	return r;
}

int nfa_build(const struct automaton_pattern *patterns, size_t n_patterns,
	      const struct automaton_rules *rules, struct nfa **ret_nfa, const char **ret_why)
{
	CLEANUP(trie_clear) struct trie trie = { 0 };
	CLEANUP(nfa_freep) struct nfa *nfa = calloc(1, sizeof(*nfa));
	int r = 0;

	if (!nfa)
		return -ENOMEM;
	for (size_t i = 0; i < n_patterns && r == 0; i++)
		r = trie_add(&trie, &patterns[i], ret_why);
	if (r == 0)
		r = freeze(nfa, &trie, rules, ret_why);
	if (r < 0)
		return r;
	*ret_nfa = TAKE_PTR(nfa);
	return 0;
}

void nfa_free(struct nfa *nfa)
{
	if (!nfa)
		return;
	free(nfa->loop);
	free(nfa->bytes.first);
	free(nfa->bytes.all);
	free(nfa->sets.first);
	free(nfa->sets.all);
	free(nfa->ends.first);
	free(nfa->ends.all);
	free(nfa->top);
	free(nfa->weight);
	free(nfa->closure.first);
	free(nfa->closure.all);
	free(nfa->class_sets);
	free(nfa);
}
