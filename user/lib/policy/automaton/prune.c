/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Keeps the sets of the subset construction small: without it there is a state for each combination
 * of the "**" that a path went through. Which rules are shadowed is asked of the caller of
 * automaton_build(); what exceptions make needless is known here.
 */
#include "lib/base/base.h"
#include "subset.h"

/* What can still come of an item; in `own` for a mark. */
static const struct nfa_reach *reach_of(const struct builder *b, uint32_t item,
					struct nfa_reach *own)
{
	uint32_t mark = item - b->nfa->n_nodes;

	if (item < b->nfa->n_nodes)
		return &b->nfa->reach[item];
	*own = (struct nfa_reach) { .low = { UINT32_MAX, UINT32_MAX } };
	own->low[mark & 1] = mark / 2;
	own->high[mark & 1] = mark / 2;
	return own;
}

static bool only_excepts(const struct nfa_reach *reach)
{
	return reach->low[0] > reach->high[0];
}

/* The rules that the items belong to which only lead to exceptions; false: there are none. */
static bool find_excepted(const struct builder *b, uint32_t *ret_low, uint32_t *ret_high)
{
	struct nfa_reach own;

	*ret_low = UINT32_MAX;
	*ret_high = 0;
	for (size_t i = 0; i < b->n_items; i++) {
		const struct nfa_reach *reach = reach_of(b, b->items[i], &own);

		if (!only_excepts(reach))
			continue;
		if (reach->low[1] < *ret_low)
			*ret_low = reach->low[1];
		if (reach->high[1] > *ret_high)
			*ret_high = reach->high[1];
	}
	return *ret_low <= *ret_high;
}

/*
 * For each rule of the range, how many before it may match at all: an exception of the rules
 * first..last is of use if b->before[last + 1] > b->before[first].
 */
static void count_matches(struct builder *b, uint32_t low, uint32_t high)
{
	uint32_t *before = b->before, open = 0, n = 0;
	struct nfa_reach own;

	memset(before + low, 0, (high + 2 - low) * sizeof(*before));
	/* Where ranges begin and end; the differences wrap. */
	for (size_t i = 0; i < b->n_items; i++) {
		const struct nfa_reach *reach = reach_of(b, b->items[i], &own);

		if (only_excepts(reach) || reach->low[0] > high || reach->high[0] < low)
			continue;
		before[reach->low[0] < low ? low : reach->low[0]]++;
		before[(reach->high[0] > high ? high : reach->high[0]) + 1]--;
	}
	for (uint32_t rule = low; rule < high + 2; rule++) {
		open += before[rule];
		before[rule] = n;
		n += open != 0;
	}
}

/* A rule that matches for ever and is undone for ever; its exception's mark comes right behind. */
static void drop_undone(struct builder *b)
{
	uint32_t n_nodes = b->nfa->n_nodes;
	size_t kept = 0;

	for (size_t i = 0; i < b->n_items; i++) {
		uint32_t item = b->items[i];

		if (item < n_nodes || (item - n_nodes) & 1 || i + 1 == b->n_items ||
		    b->items[i + 1] != item + 1)
			b->items[kept++] = item;
	}
	b->n_items = kept;
}

/* Drops the places from which only rules can be reached that are undone for ever. */
static void drop_undone_places(struct builder *b)
{
	const struct nfa *nfa = b->nfa;
	uint64_t undone = 0;
	size_t kept = 0;

	for (size_t i = b->n_items; i-- > 0 && b->items[i] >= nfa->n_nodes;)
		if ((b->items[i] - nfa->n_nodes) & 1)
			undone |= nfa->undoable[(b->items[i] - nfa->n_nodes) / 2];
	undone &= ~NFA_OTHERS;
	if (!undone)
		return;
	for (size_t i = 0; i < b->n_items; i++)
		if (b->items[i] >= nfa->n_nodes || nfa->reach[b->items[i]].undoable & ~undone)
			b->items[kept++] = b->items[i];
	b->n_items = kept;
}

/* Drops what only leads to exceptions from rules that cannot match any more. */
static int drop_excepts(struct builder *b)
{
	struct nfa_reach own;
	uint32_t low, high;
	size_t kept = 0;

	if (!find_excepted(b, &low, &high))
		return 0;
	count_matches(b, low, high);
	for (size_t i = 0; i < b->n_items; i++) {
		const struct nfa_reach *reach = reach_of(b, b->items[i], &own);

		if (!only_excepts(reach) ||
		    b->before[reach->high[1] + 1] > b->before[reach->low[1]])
			b->items[kept++] = b->items[i];
	}
	b->n_items = kept;
	return builder_work(b, kept + high - low);
}

/* Moves the rules of the marks from item `first` on to b->matched; other marks stay. */
static int take_marks(struct builder *b, size_t first)
{
	uint32_t n_nodes = b->nfa->n_nodes;
	size_t n = b->n_items;
	int r = 0;

	b->n_matched = 0;
	b->n_items = first;
	for (size_t i = first; i < n && r == 0; i++) {
		uint32_t mark = b->items[i] - n_nodes;

		/* A rule with exceptions may still be undone. */
		if (mark & 1 || b->has_except[mark / 2])
			b->items[b->n_items++] = b->items[i];
		else
			r = builder_add_matched(b, mark / 2);
	}
	return r;
}

static bool place_can_change(const struct builder *b, const struct nfa_reach *reach)
{
	uint32_t top = reach->high[0] > reach->high[1] ? reach->high[0] : reach->high[1];

	return b->rules->can_change(b->rules->arg, b->matched, b->n_matched, top, reach->influence);
}

/* Drops the places from which only rules can be reached that cannot change the row any more. */
static int drop_places(struct builder *b, size_t n_places)
{
	size_t kept = 0;
	int r = builder_work(b, n_places * b->n_matched);

	if (r < 0)
		return r;
	for (size_t i = 0; i < b->n_items; i++) {
		uint32_t item = b->items[i];

		if (item >= b->nfa->n_nodes || place_can_change(b, &b->nfa->reach[item]))
			b->items[kept++] = item;
	}
	b->n_items = kept;
	return 0;
}

static size_t count_places(const struct builder *b)
{
	size_t n = b->n_items;

	while (n && b->items[n - 1] >= b->nfa->n_nodes)
		n--;
	return n;
}

int builder_prune(struct builder *b)
{
	size_t n_places;
	int r;

	b->n_items = sort_unique(b->items, b->n_items);
	n_places = count_places(b);
	r = take_marks(b, n_places);
	if (r == 0 && b->n_matched > 1) {
		r = builder_work(b, b->n_matched * b->n_matched);
		if (r == 0)
			b->n_matched =
				b->rules->drop_shadowed(b->rules->arg, b->matched, b->n_matched);
	}
	if (r == 0 && b->n_matched)
		r = drop_places(b, n_places);
	if (r == 0 && b->any_except) {
		drop_undone_places(b);
		drop_undone(b);
		r = drop_excepts(b);
	}
	for (size_t i = 0; i < b->n_matched && r == 0; i++)
		r = builder_add_item(b, b->nfa->n_nodes + 2 * b->matched[i]);
	b->n_items = sort_unique(b->items, b->n_items);
	return r;
}
