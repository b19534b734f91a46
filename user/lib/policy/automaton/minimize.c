/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Minimisation by partition refinement, in rounds (Moore 1956). States start in one block if they
 * have the same row. A state's signature is the blocks that its edges lead to; states of one block
 * with different signatures are parted, the largest part keeps the block's number, and only states
 * with an edge into a part that got a new number are signed again. As a part with a new number has
 * at most half of its block, a state changes its number at most log2(states) times: the argument of
 * Hopcroft 1971.
 *
 * An edge into the same block as the state's fallback is left out of the signature, so that it does
 * not matter which classes a state happens to have edges for.
 */
#include "lib/base/base.h"
#include "automaton.h"

struct signature {
	uint64_t hash;
	uint32_t state;
	uint32_t length; /* words */
	size_t at; /* in the pool */
	bool like_clean; /* the same as that of the clean states of the block */
	const struct refiner *refiner; /* for the comparison */
};

struct refiner {
	const struct automaton *a;
	uint32_t n_blocks;
	uint32_t *block; /* by state */
	uint32_t *order; /* states, those of a block side by side */
	uint32_t *place; /* by state: where it is in `order` */
	uint32_t *begin, *end; /* by block: its part of `order` */
	uint32_t *dirty_in; /* by block: how many of its first states are dirty */
	uint32_t *touched; /* blocks with dirty states */
	size_t n_touched;
	uint32_t *pred_first, *preds; /* by state: the states with an edge to it */
	uint32_t *moved; /* states that got a new block, not yet in `block` */
	uint32_t *moved_to;
	size_t n_moved;
	struct signature *signatures;
	uint64_t *pool;
	size_t n_pool;
};

/* Those that are like the clean states come last. */
static int compare_signatures(const void *a, const void *b)
{
	const struct signature *x = a, *y = b;
	const uint64_t *pool = x->refiner->pool;

	if (x->like_clean != y->like_clean)
		return x->like_clean ? 1 : -1;
	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	if (x->length != y->length)
		return x->length < y->length ? -1 : 1;
	return memcmp(pool + x->at, pool + y->at, x->length * sizeof(*pool));
}

static int add_word(struct refiner *r, struct signature *s, uint64_t word)
{
	if (ARRAY_GROW(r->pool, r->n_pool) < 0)
		return -ENOMEM;
	r->pool[r->n_pool++] = word;
	s->length++;
	s->hash = (s->hash ^ word) * 0x9e3779b97f4a7c15;
	s->hash ^= s->hash >> 32;
	return 0;
}

static int sign(struct refiner *r, uint32_t state, struct signature *s)
{
	const struct automaton *a = r->a;
	uint32_t fallback = r->block[a->fallback[state]];
	int result;

	*s = (struct signature) { .state = state, .at = r->n_pool, .refiner = r };
	result = add_word(r, s, fallback);
	for (uint32_t i = a->first[state]; i < a->first[state + 1] && result == 0; i++) {
		uint32_t target = r->block[a->edges[i].target];

		if (target != fallback)
			result = add_word(r, s, (uint64_t)a->edges[i].class << 32 | target);
	}
	return result;
}

static void swap_places(struct refiner *r, uint32_t i, uint32_t k)
{
	uint32_t state = r->order[i];

	r->order[i] = r->order[k];
	r->order[k] = state;
	r->place[r->order[i]] = i;
	r->place[r->order[k]] = k;
}

/* Moves a state to the dirty ones at the front of its block. */
static void make_dirty(struct refiner *r, uint32_t state)
{
	uint32_t block = r->block[state];
	uint32_t border = r->begin[block] + r->dirty_in[block];

	if (r->place[state] < border)
		return;
	swap_places(r, r->place[state], border);
	if (!r->dirty_in[block]++)
		r->touched[r->n_touched++] = block;
}

/* order[from] to order[to - 1] leave their block for a new one. */
static void leave(struct refiner *r, uint32_t from, uint32_t to)
{
	uint32_t number = r->n_blocks++;

	r->begin[number] = from;
	r->end[number] = to;
	for (uint32_t i = from; i < to; i++) {
		r->moved[r->n_moved] = r->order[i];
		r->moved_to[r->n_moved++] = number;
	}
}

/*
 * The end of the part that starts at order[from], for a block whose first `n` states have the
 * sorted signatures r->signatures. The states behind them are clean and belong together, with those
 * before them that are `like_clean`.
 */
static uint32_t part_end(const struct refiner *r, uint32_t block, uint32_t n, uint32_t from)
{
	const struct signature *s = r->signatures;
	uint32_t begin = r->begin[block], i = from - begin;

	if (i >= n || s[i].like_clean)
		return r->end[block];
	while (++i < n && compare_signatures(&s[i], &s[from - begin]) == 0)
		;
	return begin + i;
}

/* Gives all parts of a block but the largest a number of their own. */
static void split(struct refiner *r, uint32_t block, uint32_t n)
{
	uint32_t begin = r->begin[block], end = r->end[block];
	uint32_t kept = begin, kept_end = begin, to;

	for (uint32_t from = begin; from < end; from = to) {
		to = part_end(r, block, n, from);
		if (to - from > kept_end - kept) {
			kept = from;
			kept_end = to;
		}
	}
	for (uint32_t from = begin; from < end; from = to) {
		to = part_end(r, block, n, from);
		if (from != kept)
			leave(r, from, to);
	}
	r->begin[block] = kept;
	r->end[block] = kept_end;
}

/* Signs the dirty states of a block, and one clean state for all clean ones. */
static int refine_block(struct refiner *r, uint32_t block)
{
	uint32_t begin = r->begin[block], n = r->dirty_in[block];
	bool has_clean = r->end[block] - begin > n;
	struct signature clean;
	int result = 0;

	r->dirty_in[block] = 0;
	if (r->end[block] - begin == 1)
		return 0;
	r->n_pool = 0;
	for (uint32_t i = 0; i < n && result == 0; i++)
		result = sign(r, r->order[begin + i], &r->signatures[i]);
	if (result == 0 && has_clean)
		result = sign(r, r->order[begin + n], &clean);
	if (result < 0)
		return result;
	for (uint32_t i = 0; i < n; i++)
		r->signatures[i].like_clean =
			has_clean && compare_signatures(&r->signatures[i], &clean) == 0;
	qsort(r->signatures, n, sizeof(*r->signatures), compare_signatures);
	for (uint32_t i = 0; i < n; i++) {
		r->order[begin + i] = r->signatures[i].state;
		r->place[r->signatures[i].state] = begin + i;
	}
	split(r, block, n);
	return 0;
}

/*
 * One round: all blocks with dirty states are split by the numbers of before the round; the new
 * numbers hold from its end on and make other states dirty.
 */
static int refine_round(struct refiner *r)
{
	size_t n_touched = r->n_touched;
	int result;

	r->n_moved = 0;
	r->n_touched = 0;
	for (size_t i = 0; i < n_touched; i++) {
		result = refine_block(r, r->touched[i]);
		if (result < 0)
			return result;
	}
	for (size_t i = 0; i < r->n_moved; i++)
		r->block[r->moved[i]] = r->moved_to[i];
	for (size_t i = 0; i < r->n_moved; i++) {
		uint32_t state = r->moved[i];

		for (uint32_t k = r->pred_first[state]; k < r->pred_first[state + 1]; k++)
			make_dirty(r, r->preds[k]);
	}
	return 0;
}

/* Lists, for each state, the states that have an edge or a fallback to it. */
static void list_preds(struct refiner *r)
{
	const struct automaton *a = r->a;
	uint32_t *first = r->pred_first;

	/* Counts at target + 2, so that filling the lists moves the starts to their places. */
	for (uint32_t s = 0; s < a->n_states; s++) {
		first[a->fallback[s] + 2]++;
		for (uint32_t i = a->first[s]; i < a->first[s + 1]; i++)
			first[a->edges[i].target + 2]++;
	}
	for (uint32_t s = 0; s < a->n_states; s++)
		first[s + 2] += first[s + 1];
	for (uint32_t s = 0; s < a->n_states; s++) {
		r->preds[first[a->fallback[s] + 1]++] = s;
		for (uint32_t i = a->first[s]; i < a->first[s + 1]; i++)
			r->preds[first[a->edges[i].target + 1]++] = s;
	}
}

/* One block per row, all of it dirty. */
static int start_blocks(struct refiner *r)
{
	const struct automaton *a = r->a;
	OWNED_MEM uint32_t *at = NULL;
	uint32_t n_rows = 0;

	for (uint32_t s = 0; s < a->n_states; s++)
		if (a->row[s] >= n_rows)
			n_rows = a->row[s] + 1;
	/* As in list_preds(): the states of row i are at[i] to at[i + 1] - 1 in the end. */
	at = calloc((size_t)n_rows + 2, sizeof(*at));
	if (!at)
		return -ENOMEM;
	for (uint32_t s = 0; s < a->n_states; s++)
		at[a->row[s] + 2]++;
	for (uint32_t i = 0; i < n_rows; i++)
		at[i + 2] += at[i + 1];
	for (uint32_t s = 0; s < a->n_states; s++) {
		r->place[s] = at[a->row[s] + 1]++;
		r->order[r->place[s]] = s;
	}
	for (uint32_t i = 0; i < n_rows; i++) {
		if (at[i] == at[i + 1])
			continue;
		for (uint32_t k = at[i]; k < at[i + 1]; k++)
			r->block[r->order[k]] = r->n_blocks;
		r->begin[r->n_blocks] = at[i];
		r->end[r->n_blocks] = at[i + 1];
		r->dirty_in[r->n_blocks] = at[i + 1] - at[i];
		r->touched[r->n_touched++] = r->n_blocks++;
	}
	return 0;
}

/* The automaton with one state per block, numbered by the first state of each. */
static int merge(const struct refiner *r, struct automaton *merged)
{
	const struct automaton *a = r->a;
	OWNED_MEM uint32_t *number = calloc((size_t)r->n_blocks + 1, sizeof(*number));
	size_t n_edges = 0;

	merged->fallback = calloc(r->n_blocks, sizeof(*merged->fallback));
	merged->row = calloc(r->n_blocks, sizeof(*merged->row));
	merged->first = calloc((size_t)r->n_blocks + 1, sizeof(*merged->first));
	merged->edges = calloc((size_t)a->first[a->n_states] + 1, sizeof(*merged->edges));
	if (!number || !merged->fallback || !merged->row || !merged->first || !merged->edges)
		return -ENOMEM;
	for (uint32_t s = 0; s < a->n_states; s++)
		if (!number[r->block[s]])
			number[r->block[s]] = ++merged->n_states;
	for (uint32_t s = 0, next = 0; s < a->n_states; s++) {
		uint32_t fallback = r->block[a->fallback[s]];

		if (number[r->block[s]] - 1 != next)
			continue; /* another state has stood for the block */
		merged->fallback[next] = number[fallback] - 1;
		merged->row[next] = a->row[s];
		merged->first[next++] = n_edges;
		for (uint32_t i = a->first[s]; i < a->first[s + 1]; i++) {
			uint32_t target = r->block[a->edges[i].target];

			if (target != fallback)
				merged->edges[n_edges++] =
					(struct automaton_edge) { a->edges[i].class,
								  number[target] - 1 };
		}
	}
	merged->first[merged->n_states] = n_edges;
	merged->start = number[r->block[a->start]] - 1;
	memcpy(merged->byte_class, a->byte_class, sizeof(merged->byte_class));
	return 0;
}

static void refiner_clear(struct refiner *r)
{
	free(r->block); /* and the arrays behind it */
	free(r->preds);
	free(r->signatures);
	free(r->pool);
}

static int refiner_init(struct refiner *r)
{
	uint32_t **const arrays[] = {
		&r->block,    &r->order,   &r->place,	   &r->begin, &r->end,
		&r->dirty_in, &r->touched, &r->pred_first, &r->moved, &r->moved_to,
	};
	size_t n = (size_t)r->a->n_states + 2;

	r->block = calloc(n * ARRAY_SIZE(arrays), sizeof(*r->block));
	r->preds = calloc(n + r->a->first[r->a->n_states], sizeof(*r->preds));
	r->signatures = calloc(n, sizeof(*r->signatures));
	if (!r->block || !r->preds || !r->signatures)
		return -ENOMEM;
	for (size_t i = 1; i < ARRAY_SIZE(arrays); i++)
		*arrays[i] = r->block + i * n;
	list_preds(r);
	return start_blocks(r);
}

int automaton_minimize(struct automaton *automaton)
{
	CLEANUP(refiner_clear) struct refiner r = { .a = automaton };
	CLEANUP(automaton_freep) struct automaton *merged = calloc(1, sizeof(*merged));
	struct automaton swap;
	int result;

	if (!merged)
		return -ENOMEM;
	result = refiner_init(&r);
	while (result == 0 && r.n_touched)
		result = refine_round(&r);
	if (result == 0)
		result = merge(&r, merged);
	if (result < 0)
		return result;
	swap = *automaton;
	*automaton = *merged;
	*merged = swap;
	return 0;
}
