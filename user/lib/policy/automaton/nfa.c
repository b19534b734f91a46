/* SPDX-License-Identifier: MPL-2.0 */
/*
 * From the trie to what the subset construction walks: classes of bytes instead of bytes, edges as
 * plain lists, and for each node what can still come of it.
 */

#include "lib/base/base.h"
#include "nfa.h"
#include "trie.h"

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

static void widen(struct nfa_reach *reach, const struct nfa_reach *other)
{
	reach->weight |= other->weight;
	for (unsigned int i = 0; i < 2; i++) {
		if (other->low[i] < reach->low[i])
			reach->low[i] = other->low[i];
		if (other->high[i] > reach->high[i])
			reach->high[i] = other->high[i];
	}
}

static const struct nfa_reach no_reach = { .low = { UINT32_MAX, UINT32_MAX } };

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

		end.weight = rules->weigh(rules->arg, mark / 2);
		end.low[mark & 1] = mark / 2;
		end.high[mark & 1] = mark / 2;
		widen(&nfa->reach[trie->ends[i].node], &end);
	}
	/* The links of a node are younger than the one to it, but for TRIE_BACK. */
	for (size_t i = trie->n_links; i-- > 0;) {
		const struct trie_link *link = &trie->links[i];

		if (link->kind != TRIE_BACK)
			widen(&nfa->reach[link->from], &nfa->reach[link->to]);
	}
	for (size_t i = 0; i < trie->n_links; i++) {
		const struct trie_link *link = &trie->links[i];

		if (link->kind == TRIE_BACK)
			nfa->reach[link->from] = nfa->reach[link->to];
	}
	return 0;
}

static int close_nodes(struct nfa *nfa, const struct trie *trie, const char **ret_why)
{
	struct nfa_edges silent = { 0 };
	int r;

	r = list_edges(nfa, trie, takes_nothing, &silent);
	if (r == 0)
		r = nfa_close(nfa, &silent);
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
		r = find_reach(nfa, trie, rules);
	if (r < 0)
		return r;
	return close_nodes(nfa, trie, ret_why);
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
	free(nfa->reach);
	free(nfa->closure.first);
	free(nfa->closure.all);
	free(nfa->class_sets);
	free(nfa);
}
