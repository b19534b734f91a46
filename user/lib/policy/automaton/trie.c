/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Adds globs to the trie, token by token. The children of all nodes are in one hash table: most
 * nodes have one, and an array of 256 each would be a kilobyte per byte of the globs.
 */
#include "lib/base/base.h"
#include "trie.h"

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

/* 1 and the number of the link, if it is new, without an end so far; else 0. */
static int add_link(struct trie *trie, uint32_t from, enum trie_kind kind, uint16_t value,
		    uint32_t *ret_link)
{
	const struct trie_link link = { .from = from, .value = value, .kind = kind };
	uint32_t n = trie->links.count;
	int r = intern(&trie->links, &link, ret_link);

	if (r < 0 || trie->links.count == n)
		return r;
	return ARRAY_GROW(trie->to, n) < 0 ? -ENOMEM : 1;
}

/* The child of a node, made where it is not there yet. 1 if it was made. */
static int child_of(struct trie *trie, uint32_t from, enum trie_kind kind, uint16_t value,
		    uint32_t *ret_node)
{
	uint32_t link;
	int r = add_link(trie, from, kind, value, &link);

	if (r > 0) {
		r = new_node(trie, kind == TRIE_LOOP ? value + 1u : 0, &trie->to[link]);
		r = r < 0 ? r : 1;
	}
	if (r >= 0)
		*ret_node = trie->to[link];
	return r;
}

static int set_number(struct trie *trie, const struct glob_set *set, uint16_t *ret_number)
{
	uint32_t number;
	int r = intern(&trie->sets, set, &number);

	if (r == 0)
		*ret_number = number;
	return r == -E2BIG ? -ERANGE : r;
}

/* The two nodes of a "**": `outer` before its '/', where it may be nothing, and one behind. */
static int add_tree(struct trie *trie, uint32_t from, uint32_t *ret_outer)
{
	static const struct glob_set every = { { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX } };
	uint32_t outer, into, back;
	uint16_t set = 0;
	int r;

	r = child_of(trie, from, TRIE_TREE, 0, &outer);
	if (r > 0) {
		r = set_number(trie, &every, &set);
		if (r == 0)
			r = add_link(trie, outer, TRIE_INTO, '/', &into);
		if (r > 0)
			r = new_node(trie, set + 1u, &trie->to[into]);
		if (r == 0)
			r = add_link(trie, trie->to[into], TRIE_BACK, 0, &back);
		if (r > 0)
			trie->to[back] = outer;
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

	r = glob_parse(pattern->glob, &glob, ret_why)
		    ?: add_glob(trie, glob, pattern->rule * 2 + pattern->except);
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
	intern_clear(&trie->links);
	free(trie->to);
	free(trie->loop);
	free(trie->ends);
	intern_clear(&trie->sets);
}
