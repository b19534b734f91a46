/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Adds globs to the trie, token by token, with one hash table for the children of all nodes.
 */

#include "lib/base/base.h"
#include "trie.h"

static uint64_t hash_of(uint32_t from, enum trie_kind kind, uint16_t value)
{
	uint64_t h = ((uint64_t)from << 24 | (uint64_t)kind << 16 | value) * 0x9e3779b97f4a7c15;

	return h ^ h >> 29;
}

/* The place in the table where the link is, or would be. */
static uint32_t *slot_of(const struct trie *trie, uint32_t from, enum trie_kind kind,
			 uint16_t value)
{
	size_t mask = trie->table_size - 1;

	for (size_t i = hash_of(from, kind, value) & mask;; i = (i + 1) & mask) {
		const struct trie_link *link;

		if (!trie->table[i])
			return &trie->table[i];
		link = &trie->links[trie->table[i] - 1];
		if (link->from == from && link->kind == kind && link->value == value)
			return &trie->table[i];
	}
}

/* Keeps the table at most half full. */
static int grow_table(struct trie *trie)
{
	size_t size = trie->table_size ? trie->table_size * 2 : 1024;
	uint32_t *table;

	if (trie->n_links * 2 < trie->table_size)
		return 0;
	table = calloc(size, sizeof(*table));
	if (!table)
		return -ENOMEM;
	free(trie->table);
	trie->table = table;
	trie->table_size = size;
	for (size_t i = 0; i < trie->n_links; i++) {
		const struct trie_link *link = &trie->links[i];

		*slot_of(trie, link->from, link->kind, link->value) = i + 1;
	}
	return 0;
}

static int new_node(struct trie *trie, uint32_t loop, uint32_t *ret_node)
{
	if (trie->n_nodes == AUTOMATON_NODES_MAX)
		return -E2BIG;
	if (ARRAY_GROW(trie->loop, trie->n_nodes) < 0)
		return -ENOMEM;
	trie->loop[trie->n_nodes] = loop;
	*ret_node = trie->n_nodes++;
	return 0;
}

static int new_link(struct trie *trie, uint32_t from, enum trie_kind kind, uint16_t value,
		    uint32_t to)
{
	if (grow_table(trie) < 0 || ARRAY_GROW(trie->links, trie->n_links) < 0)
		return -ENOMEM;
	trie->links[trie->n_links] =
		(struct trie_link) { .from = from, .to = to, .value = value, .kind = kind };
	*slot_of(trie, from, kind, value) = ++trie->n_links;
	return 0;
}

/* The child of a node, made where it is not there yet. 1 if it was made. */
static int child_of(struct trie *trie, uint32_t from, enum trie_kind kind, uint16_t value,
		    uint32_t *ret_node)
{
	uint32_t node, found;
	int r;

	r = grow_table(trie);
	if (r < 0)
		return r;
	found = *slot_of(trie, from, kind, value);
	if (found) {
		*ret_node = trie->links[found - 1].to;
		return 0;
	}
	r = new_node(trie, kind == TRIE_LOOP ? value + 1u : 0, &node);
	if (r == 0)
		r = new_link(trie, from, kind, value, node);
	if (r < 0)
		return r;
	*ret_node = node;
	return 1;
}

static int set_number(struct trie *trie, const struct glob_set *set, uint16_t *ret_number)
{
	size_t i;

	for (i = 0; i < trie->n_sets; i++)
		if (memcmp(&trie->sets[i], set, sizeof(*set)) == 0)
			break;
	if (i == trie->n_sets) {
		if (i == AUTOMATON_SETS_MAX)
			return -ERANGE;
		if (ARRAY_GROW(trie->sets, i) < 0)
			return -ENOMEM;
		trie->sets[i] = *set;
		trie->n_sets++;
	}
	*ret_number = i;
	return 0;
}

/* The two nodes of a "**": `outer` before its '/', where it may be nothing, and one behind. */
static int add_tree(struct trie *trie, uint32_t from, uint32_t *ret_outer)
{
	static const struct glob_set every = { { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX } };
	uint32_t outer, inner;
	uint16_t set;
	int r;

	r = child_of(trie, from, TRIE_TREE, 0, &outer);
	if (r > 0) {
		r = set_number(trie, &every, &set);
		if (r == 0)
			r = new_node(trie, set + 1u, &inner);
		if (r == 0)
			r = new_link(trie, outer, TRIE_INTO, '/', inner);
		if (r == 0)
			r = new_link(trie, inner, TRIE_BACK, 0, outer);
	}
	if (r < 0)
		return r;
	*ret_outer = outer;
	return 0;
}

static int add_token(struct trie *trie, uint32_t from, const struct glob_token *token,
		     uint32_t *ret_node)
{
	uint16_t value = token->byte;
	int r = 0;

	if (token->kind == GLOB_TREE)
		return add_tree(trie, from, ret_node);
	if (token->kind != GLOB_BYTE)
		r = set_number(trie, &token->set, &value);
	if (r == 0)
		r = child_of(trie, from,
			     token->kind == GLOB_BYTE  ? TRIE_BYTE
			     : token->kind == GLOB_ONE ? TRIE_SET
						       : TRIE_LOOP,
			     value, ret_node);
	return r < 0 ? r : 0;
}

static int add_glob(struct trie *trie, const struct glob *glob, uint32_t mark)
{
	uint32_t node = 0;
	int r = trie->n_nodes ? 0 : new_node(trie, 0, &node);

	for (size_t i = 0; i < glob->count && r == 0; i++)
		r = add_token(trie, node, &glob->tokens[i], &node);
	if (r < 0)
		return r;
	if (ARRAY_GROW(trie->ends, trie->n_ends) < 0)
		return -ENOMEM;
	trie->ends[trie->n_ends++] = (struct trie_end) { node, mark };
	return 0;
}

int trie_add(struct trie *trie, const struct automaton_pattern *pattern, const char **ret_why)
{
	CLEANUP(glob_freep) struct glob *glob = NULL;
	int r;

	r = glob_parse(pattern->glob, &glob, ret_why);
	if (r == 0)
		r = add_glob(trie, glob, pattern->rule * 2 + pattern->except);
	if (r == -E2BIG)
		*ret_why = "the globs are too long in all (AUTOMATON_NODES_MAX, 4000000 places): "
			   "write fewer of them";
	if (r == -ERANGE) {
		*ret_why = "too many different classes like [a-z] (AUTOMATON_SETS_MAX, 4096): "
			   "use * or ?";
		r = -E2BIG;
	}
	return r;
}

void trie_clear(struct trie *trie)
{
	free(trie->links);
	free(trie->table);
	free(trie->loop);
	free(trie->ends);
	free(trie->sets);
}
