/* SPDX-License-Identifier: MPL-2.0 */
/*
 * From the trie to what the subset construction walks: classes of bytes instead of bytes, edges as
 * plain lists, and for each node what can still come of it.
 */
#include "lib/base/base.h"
#include "nfa.h"
#include "trie.h"

/* Sets of enum trie_kind. */
#define TAKES_BYTE (1u << TRIE_BYTE | 1u << TRIE_INTO)
#define TAKES_SET (1u << TRIE_SET)
#define TAKES_NOTHING (1u << TRIE_LOOP | 1u << TRIE_TREE | 1u << TRIE_BACK)

static bool is_of(const struct trie_link *link, unsigned int kinds)
{
	return kinds >> link->kind & 1;
}

/*
 * Two bytes are of one byte class if no glob tells them apart. Class 0 is that of NUL, which no
 * glob can name; class 1 is left out because the image has another use for its number.
 */
static int number_classes(struct nfa *nfa, const struct trie *trie, const char **ret_why)
{
	uint16_t class[256] = { 0 }, number[258] = { 0 };
	unsigned int n = 2, next = 2; /* 1 is a mark below */

	for (size_t i = 0; i < trie->links.count; i++) {
		const struct trie_link *link = trie_link(trie, i);

		/* A byte that is named alone. */
		if (is_of(link, TAKES_BYTE))
			class[link->value] = 1;
	}
	for (unsigned int c = 0; c < 256; c++)
		if (class[c])
			class[c] = n++;
	for (size_t i = 0; i < trie->sets.count; i++) {
		uint16_t split[258] = { 0 };
		unsigned int before = n;

		/* Of each class that the set cuts, the part inside gets a number of its own. */
		for (unsigned int c = 0; c < 256; c++)
			if (!glob_set_has(trie_set(trie, i), c))
				split[class[c]] = 1;
		for (unsigned int c = 0; c < 256; c++) {
			if (!glob_set_has(trie_set(trie, i), c) || class[c] >= before)
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
	nfa->class_sets = calloc(trie->sets.count + 1, sizeof(*nfa->class_sets));
	if (!nfa->class_sets)
		return -ENOMEM;
	nfa->n_sets = trie->sets.count;
	for (size_t i = 0; i < trie->sets.count; i++) {
		struct nfa_set *set = &nfa->class_sets[i];

		for (unsigned int c = 0; c < 256; c++)
			if (glob_set_has(trie_set(trie, i), c))
				glob_set_add(&set->in, nfa->byte_class[c]);
		for (unsigned int c = 0; c < 256; c++)
			if (glob_set_has(&set->in, nfa->byte_class[c]) != glob_set_has(&set->in, 0))
				glob_set_add(&set->odd, nfa->byte_class[c]);
	}
	return 0;
}

/* Turns counts at first[n + 1] into where each node's list starts. */
static void add_up(uint32_t *first, uint32_t n_nodes)
{
	for (uint32_t n = 0; n < n_nodes; n++)
		first[n + 1] += first[n];
}

/* All links of one kind, in the order of their nodes. */
static int list_edges(const struct nfa *nfa, const struct trie *trie, unsigned int kinds,
		      struct nfa_edges *edges)
{
	OWNED_MEM uint32_t *at = calloc(nfa->n_nodes + 1, sizeof(*at));

	edges->first = calloc(nfa->n_nodes + 2, sizeof(*edges->first));
	edges->all = calloc(trie->links.count + 1, sizeof(*edges->all));
	if (!at || !edges->first || !edges->all)
		return -ENOMEM;
	for (size_t i = 0; i < trie->links.count; i++)
		edges->first[trie_link(trie, i)->from + 1] += is_of(trie_link(trie, i), kinds);
	add_up(edges->first, nfa->n_nodes);
	memcpy(at, edges->first, (nfa->n_nodes + 1) * sizeof(*at));
	for (size_t i = 0; i < trie->links.count; i++) {
		const struct trie_link *link = trie_link(trie, i);

		if (is_of(link, kinds))
			edges->all[at[link->from]++] = (struct nfa_edge) {
				.label = is_of(link, TAKES_BYTE) ? nfa->byte_class[link->value]
								 : link->value,
				.target = trie->to[i],
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

static void widen(struct nfa_reach *reach, const struct nfa_reach *other)
{
	reach->influence |= other->influence;
	reach->undoable |= other->undoable;
	for (unsigned int i = 0; i < 2; i++) {
		if (other->low[i] < reach->low[i])
			reach->low[i] = other->low[i];
		if (other->high[i] > reach->high[i])
			reach->high[i] = other->high[i];
	}
}

static const struct nfa_reach no_reach = { .low = { UINT32_MAX, UINT32_MAX } };

/* Gives the first rules that have exceptions a bit each. */
static int number_undoable(struct nfa *nfa, const struct automaton_pattern *patterns, size_t n)
{
	uint32_t last = 0;
	uint64_t next = 1;

	for (size_t i = 0; i < n; i++)
		if (patterns[i].rule > last)
			last = patterns[i].rule;
	nfa->undoable = calloc(last + 1, sizeof(*nfa->undoable));
	if (!nfa->undoable)
		return -ENOMEM;
	for (uint32_t rule = 0; rule <= last; rule++)
		nfa->undoable[rule] = NFA_OTHERS;
	for (size_t i = 0; i < n && next != NFA_OTHERS; i++) {
		if (!patterns[i].except || nfa->undoable[patterns[i].rule] != NFA_OTHERS)
			continue;
		nfa->undoable[patterns[i].rule] = next;
		next <<= 1;
	}
	return 0;
}

/* What can be reached from each node, from the ends backwards. */
static int find_reach(struct nfa *nfa, const struct trie *trie, const struct automaton_rules *rules)
{
	nfa->reach = calloc(nfa->n_nodes + 1, sizeof(*nfa->reach));
	if (!nfa->reach)
		return -ENOMEM;
	for (uint32_t node = 0; node < nfa->n_nodes; node++)
		nfa->reach[node] = no_reach;
	for (size_t i = 0; i < trie->n_ends; i++) {
		uint32_t mark = trie->ends[i].mark;
		struct nfa_reach end = no_reach;

		end.influence = rules->influence(rules->arg, mark / 2);
		end.undoable = nfa->undoable[mark / 2];
		end.low[mark & 1] = mark / 2;
		end.high[mark & 1] = mark / 2;
		widen(&nfa->reach[trie->ends[i].node], &end);
	}
	/* The links of a node are younger than the one to it, but for TRIE_BACK. */
	for (size_t i = trie->links.count; i-- > 0;) {
		const struct trie_link *link = trie_link(trie, i);

		if (link->kind != TRIE_BACK)
			widen(&nfa->reach[link->from], &nfa->reach[trie->to[i]]);
	}
	for (size_t i = 0; i < trie->links.count; i++) {
		const struct trie_link *link = trie_link(trie, i);

		if (link->kind == TRIE_BACK)
			nfa->reach[link->from] = nfa->reach[trie->to[i]];
	}
	return 0;
}

static int close_nodes(struct nfa *nfa, const struct trie *trie, const char **ret_why)
{
	struct nfa_edges silent = { 0 };
	int r = list_edges(nfa, trie, TAKES_NOTHING, &silent) ?: nfa_close(nfa, &silent);

	if (r == -E2BIG)
		*ret_why = "too many globs that begin with ** (AUTOMATON_WORK_MAX): give them a "
			   "directory to begin with";
	free(silent.first);
	free(silent.all);
	return r;
}

static int freeze(struct nfa *nfa, struct trie *trie, const struct automaton_rules *rules,
		  const char **ret_why)
{
	nfa->n_nodes = trie->n_nodes;
	nfa->loop = TAKE_PTR(trie->loop);
	return number_classes(nfa, trie, ret_why)
		?: number_sets(nfa, trie)
		?: list_edges(nfa, trie, TAKES_BYTE, &nfa->bytes)
		?: list_edges(nfa, trie, TAKES_SET, &nfa->sets)
		?: list_ends(nfa, trie)
		?: find_reach(nfa, trie, rules)
		?: close_nodes(nfa, trie, ret_why);
}

int nfa_build(const struct automaton_pattern *patterns, size_t n_patterns,
	      const struct automaton_rules *rules, struct nfa **ret_nfa,
	      struct automaton_refusal *refusal)
{
	CLEANUP(trie_clear) struct trie trie = { TRIE_LINKS, TRIE_SETS };
	CLEANUP(nfa_freep) struct nfa *nfa = calloc(1, sizeof(*nfa));
	int r = 0;

	if (!nfa)
		return -ENOMEM;
	for (size_t i = 0; i < n_patterns && r == 0; i++) {
		r = trie_add(&trie, &patterns[i], &refusal->why);
		refusal->has_rule = r == -E2BIG;
		refusal->rule = patterns[i].rule;
	}
	r = r ?: number_undoable(nfa, patterns, n_patterns);
	r = r ?: freeze(nfa, &trie, rules, &refusal->why);
	if (r == 0)
		*ret_nfa = TAKE_PTR(nfa);
	return r;
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
	free(nfa->reach);
	free(nfa->undoable);
	free(nfa->closure.first);
	free(nfa->closure.all);
	free(nfa->class_sets);
	free(nfa);
}
