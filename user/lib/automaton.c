/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Subset construction: a state of the automaton is the set of items (automaton_nfa.h) that are true
 * after some path. Each different set becomes a state once; a state's edges are computed only for
 * the classes of bytes that its items tell apart.
 */
#include <string.h>

#include "array.h"
#include "automaton_nfa.h"

struct builder {
	const struct nfa *nfa;
	const struct automaton_rules *rules;
	const char *why;
	struct automaton *automaton;
	size_t n_edges;
	uint64_t work;
	uint64_t *has_except; /* bit set of rules */
	uint32_t *pool; /* the sets of all states, each ascending */
	size_t n_pool;
	size_t *set_at; /* by state: where its set starts; one more behind the last */
	uint32_t *table; /* hash of a set: 1 + state */
	size_t table_size; /* a power of two */
	uint32_t *items; /* the set being put together */
	size_t n_items;
	uint32_t *matched; /* rules, for callbacks */
	size_t n_matched;
};

static int too_big(struct builder *b, const char *why)
{
	b->why = why;
	return -E2BIG;
}

static int add_work(struct builder *b, size_t amount)
{
	b->work += amount;
	if (b->work > AUTOMATON_WORK_MAX)
		return too_big(b, "the globs combine in too many ways (AUTOMATON_WORK_MAX): use "
				  "fewer globs with more than one * or ** in them");
	return 0;
}

static int add_item(struct builder *b, uint32_t item)
{
	if (ARRAY_GROW(b->items, b->n_items) < 0)
		return -ENOMEM;
	b->items[b->n_items++] = item;
	return 0;
}

static int add_closure(struct builder *b, uint32_t node)
{
	const struct nfa_items *closure = &b->nfa->closure;
	int r = 0;

	for (uint32_t i = closure->first[node]; i < closure->first[node + 1] && r == 0; i++)
		r = add_item(b, closure->all[i]);
	return r;
}

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* Ascending and each once. */
static size_t sort(uint32_t *items, size_t n)
{
	size_t kept = 0;

	if (n > 16) {
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

static bool excepts(const struct builder *b, uint32_t rule)
{
	return b->has_except[rule / 64] >> (rule % 64) & 1;
}

static int add_matched(struct builder *b, uint32_t rule)
{
	if (ARRAY_GROW(b->matched, b->n_matched) < 0)
		return -ENOMEM;
	b->matched[b->n_matched++] = rule;
	return 0;
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
		if (mark & 1 || excepts(b, mark / 2))
			b->items[b->n_items++] = b->items[i];
		else
			r = add_matched(b, mark / 2);
	}
	return r;
}

/* Drops the places from which only rules can be reached that have no say any more. */
static int drop_places(struct builder *b, size_t n_places)
{
	const struct nfa *nfa = b->nfa;
	const struct automaton_rules *rules = b->rules;
	size_t kept = 0;
	int r = add_work(b, n_places * b->n_matched);

	if (r < 0)
		return r;
	for (size_t i = 0; i < b->n_items; i++) {
		uint32_t item = b->items[i];

		if (item >= nfa->n_nodes || rules->matters(rules->arg, b->matched, b->n_matched,
							   nfa->top[item], nfa->weight[item]))
			b->items[kept++] = item;
	}
	b->n_items = kept;
	return 0;
}

/*
 * Sorts the set, and drops from it what cannot change anything because of the rules that match
 * whatever follows. Without that the sets would remember every "**" they went through, and there
 * would be one state for each combination of them.
 */
static int settle(struct builder *b)
{
	size_t n_places;
	int r;

	b->n_items = sort(b->items, b->n_items);
	for (n_places = b->n_items; n_places && b->items[n_places - 1] >= b->nfa->n_nodes;)
		n_places--;
	r = take_marks(b, n_places);
	if (r < 0 || !b->n_matched)
		return r;
	if (b->n_matched > 1) {
		r = add_work(b, b->n_matched * b->n_matched);
		if (r < 0)
			return r;
		b->n_matched = b->rules->settle(b->rules->arg, b->matched, b->n_matched);
	}
	r = drop_places(b, n_places);
	for (size_t i = 0; i < b->n_matched && r == 0; i++)
		r = add_item(b, b->nfa->n_nodes + 2 * b->matched[i]);
	b->n_items = sort(b->items, b->n_items);
	return r;
}

/* Notes the rule if it is not undone. The marks are sorted: its exception comes right behind it. */
static int match_marks(struct builder *b, uint32_t *marks, size_t n)
{
	int r = 0;

	n = sort(marks, n);
	for (size_t i = 0; i < n && r == 0; i++) {
		bool undone = i + 1 < n && marks[i + 1] == (marks[i] | 1);

		if (!(marks[i] & 1) && !undone)
			r = add_matched(b, marks[i] / 2);
	}
	return r;
}

/* The row for a path that ends with the current set. */
static int find_row(struct builder *b, uint32_t *ret_row)
{
	const struct nfa *nfa = b->nfa;
	OWNED_MEM uint32_t *marks = NULL;
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
			if (ARRAY_GROW(marks, n) < 0)
				return -ENOMEM;
			marks[n++] = *from - offset;
		}
	}
	r = add_work(b, n);
	if (r == 0 && n)
		r = match_marks(b, marks, n);
	if (r < 0)
		return r;
	return b->rules->row(b->rules->arg, b->matched, b->n_matched, ret_row);
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
		return too_big(b, "too many states (AUTOMATON_STATES_MAX, 1000000): use fewer "
				  "globs, or fewer with more than one * or ** in them");
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

/* The state of the set in b->items, made where it is not there yet. */
static int find_state(struct builder *b, uint32_t *ret_state)
{
	uint32_t *slot;
	int r;

	r = settle(b);
	if (r == 0)
		r = add_work(b, b->n_items + 1);
	if (r == 0)
		r = grow_table(b);
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

/* What follows from one item when a byte of the class comes. */
static int follow_item(struct builder *b, uint32_t item, uint8_t class)
{
	const struct nfa *nfa = b->nfa;
	int r = 0;

	if (item >= nfa->n_nodes)
		return add_item(b, item);
	if (nfa->loop[item] && nfa_set_has(&nfa->class_sets[nfa->loop[item] - 1], class))
		r = add_closure(b, item);
	for (uint32_t i = nfa->bytes.first[item]; i < nfa->bytes.first[item + 1] && r == 0; i++)
		if (nfa->bytes.all[i].label == class)
			r = add_closure(b, nfa->bytes.all[i].target);
	for (uint32_t i = nfa->sets.first[item]; i < nfa->sets.first[item + 1] && r == 0; i++)
		if (nfa_set_has(&nfa->class_sets[nfa->sets.all[i].label], class))
			r = add_closure(b, nfa->sets.all[i].target);
	return r == 0 ? add_work(b, nfa->bytes.first[item + 1] - nfa->bytes.first[item] +
					    nfa->sets.first[item + 1] - nfa->sets.first[item] + 1)
		      : r;
}

static int follow(struct builder *b, uint32_t state, uint8_t class, uint32_t *ret_state)
{
	int r = 0;

	b->n_items = 0;
	for (size_t i = b->set_at[state]; i < b->set_at[state + 1] && r == 0; i++)
		r = follow_item(b, b->pool[i], class);
	return r < 0 ? r : find_state(b, ret_state);
}

static void mark_odd(const struct nfa_set *set, uint64_t classes[4])
{
	for (size_t i = 0; i < set->n_odd; i++)
		classes[set->odd[i] / 64] |= UINT64_C(1) << (set->odd[i] % 64);
}

/* The classes of bytes that may lead elsewhere than class 0 does. */
static void find_classes(const struct builder *b, uint32_t state, uint64_t classes[4])
{
	const struct nfa *nfa = b->nfa;

	memset(classes, 0, 4 * sizeof(*classes));
	for (size_t i = b->set_at[state]; i < b->set_at[state + 1]; i++) {
		uint32_t item = b->pool[i];

		if (item >= nfa->n_nodes)
			break;
		if (nfa->loop[item])
			mark_odd(&nfa->class_sets[nfa->loop[item] - 1], classes);
		for (uint32_t k = nfa->bytes.first[item]; k < nfa->bytes.first[item + 1]; k++) {
			uint32_t class = nfa->bytes.all[k].label;

			classes[class / 64] |= UINT64_C(1) << (class % 64);
		}
		for (uint32_t k = nfa->sets.first[item]; k < nfa->sets.first[item + 1]; k++)
			mark_odd(&nfa->class_sets[nfa->sets.all[k].label], classes);
	}
}

static int add_edge(struct builder *b, uint8_t class, uint32_t target)
{
	if (ARRAY_GROW(b->automaton->edges, b->n_edges) < 0)
		return -ENOMEM;
	b->automaton->edges[b->n_edges++] = (struct automaton_edge) { class, target };
	return 0;
}

static int expand(struct builder *b, uint32_t state)
{
	uint64_t classes[4];
	uint32_t fallback, target;
	int r;

	b->automaton->first[state] = b->n_edges;
	r = follow(b, state, 0, &fallback);
	if (r < 0)
		return r;
	b->automaton->fallback[state] = fallback;
	find_classes(b, state, classes);
	for (unsigned int class = 1; class < 256; class ++) {
		if (!(classes[class / 64] >> (class % 64) & 1))
			continue;
		r = follow(b, state, class, &target);
		if (r == 0 && target != fallback)
			r = add_edge(b, class, target);
		if (r < 0)
			return r;
	}
	return 0;
}

static int build(struct builder *b)
{
	struct automaton *a = b->automaton;
	int r = 0;

	memcpy(a->byte_class, b->nfa->byte_class, sizeof(a->byte_class));
	if (ARRAY_GROW(b->set_at, 0) < 0)
		return -ENOMEM;
	b->set_at[0] = 0;
	if (b->nfa->n_nodes)
		r = add_closure(b, 0);
	if (r == 0)
		r = find_state(b, &a->start);
	for (uint32_t s = 0; s < a->n_states && r == 0; s++)
		r = expand(b, s);
	if (r == 0)
		r = ARRAY_GROW(a->first, a->n_states);
	if (r < 0)
		return r;
	a->first[a->n_states] = b->n_edges;
	return 0;
}

/* A bit for each rule that has an exception. */
static int note_excepts(struct builder *b, const struct automaton_pattern *patterns, size_t n)
{
	uint32_t last = 0;

	for (size_t i = 0; i < n; i++)
		if (patterns[i].rule > last)
			last = patterns[i].rule;
	b->has_except = calloc(last / 64 + 1, sizeof(*b->has_except));
	if (!b->has_except)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (patterns[i].except)
			b->has_except[patterns[i].rule / 64] |= UINT64_C(1)
								<< (patterns[i].rule % 64);
	return 0;
}

static void builder_clear(struct builder *b)
{
	free(b->has_except);
	free(b->pool);
	free(b->set_at);
	free(b->table);
	free(b->items);
	free(b->matched);
}

int automaton_build(const struct automaton_pattern *patterns, size_t n_patterns,
		    const struct automaton_rules *rules, struct automaton **ret_automaton,
		    const char **ret_why)
{
	CLEANUP(nfa_freep) struct nfa *nfa = NULL;
	CLEANUP(automaton_freep) struct automaton *automaton = calloc(1, sizeof(*automaton));
	CLEANUP(builder_clear) struct builder b = { .automaton = automaton, .rules = rules };
	int r;

	if (!automaton)
		return -ENOMEM;
	r = nfa_build(patterns, n_patterns, rules, &nfa, ret_why);
	if (r < 0)
		return r;
	b.nfa = nfa;
	r = note_excepts(&b, patterns, n_patterns);
	if (r == 0)
		r = build(&b);
	if (r < 0) {
		if (b.why)
			*ret_why = b.why;
		return r;
	}
	*ret_automaton = TAKE_PTR(automaton);
	return 0;
}

uint32_t automaton_run(const struct automaton *a, const char *bytes, size_t length)
{
	uint32_t state = a->start;

	for (size_t i = 0; i < length; i++) {
		uint8_t class = a->byte_class[(uint8_t)bytes[i]];
		uint32_t next = a->fallback[state];

		for (uint32_t k = a->first[state]; k < a->first[state + 1]; k++)
			if (a->edges[k].class == class)
				next = a->edges[k].target;
		state = next;
	}
	return a->row[state];
}

void automaton_free(struct automaton *automaton)
{
	if (!automaton)
		return;
	free(automaton->fallback);
	free(automaton->row);
	free(automaton->first);
	free(automaton->edges);
	free(automaton);
}
