/* SPDX-License-Identifier: MPL-2.0 */
/*
 * From sets of items to states: each different set becomes a state once, with the row that its
 * rules stand for. Here are also the pieces that the whole construction uses: growing lists,
 * sorting, and the bound on work.
 *
 * The table of sets is no uthash: its keys lie in one pool that moves as it grows. uthash was
 * measured at 2.7 times the instructions (200,000 sets of 12 items, each looked up 8 times) and 56
 * bytes more for each state.
 */
#include "lib/base/base.h"
#include "subset.h"

/* -E2BIG with the sentence. */
static int too_big(struct builder *b, const char *why)
{
	b->why = why;
	return -E2BIG;
}

int builder_work(struct builder *b, size_t amount)
{
	b->work += amount;
	if (b->work > AUTOMATON_WORK_MAX)
		return too_big(b, "the globs combine in too many ways (AUTOMATON_WORK_MAX)");
	return 0;
}

/* For one more in a list that is filled anew for each set: its room only grows. */
static int keep_room(uint32_t **list, size_t count, size_t *size)
{
	size_t larger = *size ? 2 * *size : 64;
	uint32_t *grown;

	if (count < *size)
		return 0;
	grown = reallocarray(*list, larger, sizeof(**list));
	if (!grown)
		return -ENOMEM;
	*list = grown;
	*size = larger;
	return 0;
}

int builder_add_item(struct builder *b, uint32_t item)
{
	if (keep_room(&b->items, b->n_items, &b->items_size) < 0)
		return -ENOMEM;
	b->items[b->n_items++] = item;
	return 0;
}

int builder_add_matched(struct builder *b, uint32_t rule)
{
	if (keep_room(&b->matched, b->n_matched, &b->matched_size) < 0)
		return -ENOMEM;
	b->matched[b->n_matched++] = rule;
	return 0;
}

/* Up to so many, insertion is cheaper than the calls that qsort() makes. */
#define SORT_BY_INSERTION 64

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

size_t sort_unique(uint32_t *items, size_t n)
{
	size_t kept = 0, sorted = 1;

	while (sorted < n && items[sorted - 1] < items[sorted])
		sorted++;
	if (sorted >= n)
		return n;
	if (n > SORT_BY_INSERTION) {
		qsort(items, n, sizeof(*items), compare);
	} else {
		for (size_t i = 1; i < n; i++) {
			uint32_t item = items[i];
			size_t k = i;

			for (; k && items[k - 1] > item; k--)
				items[k] = items[k - 1];
			items[k] = item;
		}
	}
	for (size_t i = 0; i < n; i++)
		if (!i || items[i] != items[kept - 1])
			items[kept++] = items[i];
	return kept;
}

/* Notes the rule if it is not undone. The marks are sorted: its exception comes right behind it. */
static int match_marks(struct builder *b, uint32_t *marks, size_t n)
{
	int r = 0;

	n = sort_unique(marks, n);
	for (size_t i = 0; i < n && r == 0; i++) {
		bool undone = i + 1 < n && marks[i + 1] == (marks[i] | 1);

		if (!(marks[i] & 1) && !undone)
			r = builder_add_matched(b, marks[i] / 2);
	}
	return r;
}

static uint64_t hash_of(const uint32_t *items, size_t n)
{
	uint64_t h = n;

	for (size_t i = 0; i < n; i++) {
		h = (h ^ items[i]) * 0x9e3779b97f4a7c15;
		h ^= h >> 32;
	}
	return h;
}

/* The row of the rules in b->matched. */
static int row_of_matched(struct builder *b, uint32_t *ret_row)
{
	struct row_cache *cached = &b->rows[hash_of(b->matched, b->n_matched) % ROW_CACHE];
	size_t size = b->n_matched * sizeof(*b->matched);
	int r;

	if (cached->used && cached->n_rules == b->n_matched &&
	    (!size || !memcmp(cached->rules, b->matched, size))) {
		*ret_row = cached->row;
		return 0;
	}
	r = b->rules->row(b->rules->arg, b->matched, b->n_matched, ret_row);
	if (r < 0 || b->n_matched > ROW_CACHE_RULES)
		return r;
	*cached = (struct row_cache) { .n_rules = b->n_matched, .row = *ret_row, .used = true };
	if (size)
		memcpy(cached->rules, b->matched, size);
	return 0;
}

/* The row for a path that ends with the current set. */
static int find_row(struct builder *b, uint32_t *ret_row)
{
	const struct nfa *nfa = b->nfa;
	size_t n = 0;
	int r;

	b->n_matched = 0;
	for (size_t i = 0; i < b->n_items; i++) {
		uint32_t item = b->items[i];
		const uint32_t *from = &item, *end = from + 1;
		uint32_t offset = nfa->n_nodes;

		if (item < nfa->n_nodes) {
			from = &nfa->ends.all[nfa->ends.first[item]];
			end = &nfa->ends.all[nfa->ends.first[item + 1]];
			offset = 0;
		}
		for (; from < end; from++) {
			if (keep_room(&b->marks, n, &b->marks_size) < 0)
				return -ENOMEM;
			b->marks[n++] = *from - offset;
		}
	}
	r = builder_work(b, n);
	if (r == 0 && n)
		r = match_marks(b, b->marks, n);
	return r < 0 ? r : row_of_matched(b, ret_row);
}

static uint32_t *slot_of(const struct builder *b, const uint32_t *items, size_t n)
{
	size_t mask = b->table_size - 1;

	for (size_t i = hash_of(items, n) & mask;; i = (i + 1) & mask) {
		uint32_t state = b->table[i] - 1;

		if (!b->table[i])
			return &b->table[i];
		if (b->set_at[state + 1] - b->set_at[state] == n &&
		    (!n || memcmp(&b->pool[b->set_at[state]], items, n * sizeof(*items)) == 0))
			return &b->table[i];
	}
}

static int grow_table(struct builder *b)
{
	const struct automaton *a = b->automaton;
	size_t size = b->table_size ? b->table_size * 2 : 1024;
	uint32_t *table;

	if ((size_t)a->n_states * 2 < b->table_size)
		return 0;
	table = calloc(size, sizeof(*table));
	if (!table)
		return -ENOMEM;
	free(b->table);
	b->table = table;
	b->table_size = size;
	for (uint32_t s = 0; s < a->n_states; s++)
		*slot_of(b, &b->pool[b->set_at[s]], b->set_at[s + 1] - b->set_at[s]) = s + 1;
	return 0;
}

static int new_state(struct builder *b)
{
	struct automaton *a = b->automaton;
	uint32_t s = a->n_states;
	int r;

	if (s == AUTOMATON_STATES_MAX)
		return too_big(b, "too many states (AUTOMATON_STATES_MAX, 500000)");
	if (ARRAY_GROW(a->fallback, s) < 0 || ARRAY_GROW(a->row, s) < 0 ||
	    ARRAY_GROW(a->first, s) < 0 || ARRAY_GROW(b->set_at, s + 1) < 0)
		return -ENOMEM;
	r = find_row(b, &a->row[s]);
	if (r < 0)
		return r;
	for (size_t i = 0; i < b->n_items; i++) {
		if (ARRAY_GROW(b->pool, b->n_pool) < 0)
			return -ENOMEM;
		b->pool[b->n_pool++] = b->items[i];
	}
	b->set_at[s + 1] = b->n_pool;
	a->n_states++;
	return 0;
}

int builder_state(struct builder *b, uint32_t *ret_state)
{
	uint32_t *slot;
	int r;

	r = builder_prune(b) ?: builder_work(b, b->n_items + 1) ?: grow_table(b);
	if (r < 0)
		return r;
	slot = slot_of(b, b->items, b->n_items);
	if (!*slot) {
		r = new_state(b);
		if (r < 0)
			return r;
		*slot = b->automaton->n_states;
	}
	*ret_state = *slot - 1;
	return 0;
}
