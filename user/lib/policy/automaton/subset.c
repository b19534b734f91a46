/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Subset construction (Rabin and Scott 1959): a state of the automaton is the set of items (nfa.h)
 * that are true after some path. Edges are only computed for the byte classes that the items of the
 * state tell apart.
 */
#include "subset.h"

static int add_closure(struct builder *b, uint32_t node)
{
	const struct nfa_items *closure = &b->nfa->closure;
	int r = 0;

	for (uint32_t i = closure->first[node]; i < closure->first[node + 1] && r == 0; i++)
		r = builder_add_item(b, closure->all[i]);
	return r;
}

/* What follows from one item when a byte of the class comes. */
static int follow_item(struct builder *b, uint32_t item, uint8_t class)
{
	const struct nfa *nfa = b->nfa;
	int r = 0;

	if (item >= nfa->n_nodes)
		return builder_add_item(b, item);
	if (nfa->loop[item] && glob_set_has(&nfa->class_sets[nfa->loop[item] - 1].in, class))
		r = add_closure(b, item);
	for (uint32_t i = nfa->bytes.first[item]; i < nfa->bytes.first[item + 1] && r == 0; i++)
		if (nfa->bytes.all[i].label == class)
			r = add_closure(b, nfa->bytes.all[i].target);
	for (uint32_t i = nfa->sets.first[item]; i < nfa->sets.first[item + 1] && r == 0; i++)
		if (glob_set_has(&nfa->class_sets[nfa->sets.all[i].label].in, class))
			r = add_closure(b, nfa->sets.all[i].target);
	return r == 0 ? builder_work(b, nfa->bytes.first[item + 1] - nfa->bytes.first[item] +
						nfa->sets.first[item + 1] - nfa->sets.first[item] +
						1)
		      : r;
}

static int follow(struct builder *b, uint32_t state, uint8_t class, uint32_t *ret_state)
{
	int r = 0;

	b->n_items = 0;
	for (size_t i = b->set_at[state]; i < b->set_at[state + 1] && r == 0; i++)
		r = follow_item(b, b->pool[i], class);
	return r < 0 ? r : builder_state(b, ret_state);
}

static void add_odd(const struct nfa *nfa, uint32_t set, struct glob_set *classes)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(classes->bits); i++)
		classes->bits[i] |= nfa->class_sets[set].odd.bits[i];
}

/* The byte classes that may lead elsewhere than class 0 does. */
static struct glob_set find_classes(const struct builder *b, uint32_t state)
{
	const struct nfa *nfa = b->nfa;
	struct glob_set classes = { 0 };

	for (size_t i = b->set_at[state]; i < b->set_at[state + 1]; i++) {
		uint32_t item = b->pool[i];

		if (item >= nfa->n_nodes)
			break;
		if (nfa->loop[item])
			add_odd(nfa, nfa->loop[item] - 1, &classes);
		for (uint32_t k = nfa->bytes.first[item]; k < nfa->bytes.first[item + 1]; k++)
			glob_set_add(&classes, nfa->bytes.all[k].label);
		for (uint32_t k = nfa->sets.first[item]; k < nfa->sets.first[item + 1]; k++)
			add_odd(nfa, nfa->sets.all[k].label, &classes);
	}
	return classes;
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
	struct glob_set classes = find_classes(b, state);
	uint32_t fallback, target;
	int r;

	b->automaton->first[state] = b->n_edges;
	r = follow(b, state, 0, &fallback);
	if (r < 0)
		return r;
	b->automaton->fallback[state] = fallback;
	for (unsigned int class = 1; class < 256; class ++) {
		if (!glob_set_has(&classes, class))
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
	r = r ?: builder_state(b, &a->start);
	for (uint32_t s = 0; s < a->n_states && r == 0; s++)
		r = expand(b, s);
	r = r ?: ARRAY_GROW(a->first, a->n_states);
	if (r == 0)
		a->first[a->n_states] = b->n_edges;
	return r;
}

/* Notes the rules that have exceptions. */
static int note_excepts(struct builder *b, const struct automaton_pattern *patterns, size_t n)
{
	uint32_t last = 0;

	for (size_t i = 0; i < n; i++)
		if (patterns[i].rule > last)
			last = patterns[i].rule;
	b->has_except = calloc(last + 1, sizeof(*b->has_except));
	b->before = calloc(last + 3, sizeof(*b->before));
	b->rows = calloc(ROW_CACHE, sizeof(*b->rows));
	if (!b->has_except || !b->before || !b->rows)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		b->any_except |= patterns[i].except;
		b->has_except[patterns[i].rule] |= patterns[i].except;
	}
	return 0;
}

static void builder_clear(struct builder *b)
{
	free(b->has_except);
	free(b->before);
	free(b->pool);
	free(b->set_at);
	free(b->table);
	free(b->items);
	free(b->matched);
	free(b->marks);
	free(b->rows);
}

int automaton_build(const struct automaton_pattern *patterns, size_t n_patterns,
		    const struct automaton_rules *rules, struct automaton **ret_automaton,
		    struct automaton_refusal *refusal)
{
	CLEANUP(nfa_freep) struct nfa *nfa = NULL;
	CLEANUP(automaton_freep) struct automaton *automaton = calloc(1, sizeof(*automaton));
	CLEANUP(builder_clear) struct builder b = { .automaton = automaton, .rules = rules };
	int r;

	if (!automaton)
		return -ENOMEM;
	r = nfa_build(patterns, n_patterns, rules, &nfa, refusal);
	if (r < 0)
		return r;
	b.nfa = nfa;
	r = note_excepts(&b, patterns, n_patterns) ?: build(&b);
	if (r == 0)
		*ret_automaton = TAKE_PTR(automaton);
	if (b.why) {
		refusal->why = b.why;
		refusal->has_rule = builder_blame(&b, &refusal->rule);
	}
	return r;
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
