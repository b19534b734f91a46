/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Which rule made the automaton too large. A state is a combination of places in globs; of each
 * rule it is counted in how many different combinations its own places are. A rule with a glob such
 * as "**" followed by a byte and some '?' is in one for nearly each set of positions at which that
 * byte was, any other in about as many as its globs have places.
 */
#include "lib/base/base.h"
#include "subset.h"

#define SAMPLE_MAX 100000 /* states that are looked at */
#define COMBINATIONS_MAX 2000000 /* of all rules together */

struct combination {
	uint64_t places; /* a hash of them */
	uint64_t rule;
};

struct census {
	const struct builder *b;
	struct intern combinations;
	uint64_t *places; /* by rule: of the state that is looked at; 0: it has no part in it */
	uint32_t *counts; /* by rule */
	uint32_t n_rules;
};

/* A place that several rules share, such as the "**" all their globs begin with, is the last's. */
static uint32_t owner(const struct nfa_reach *reach)
{
	bool of_except = reach->low[0] > reach->high[0] ||
			 (reach->low[1] <= reach->high[1] && reach->high[1] > reach->high[0]);

	return reach->high[of_except];
}

static void count_state(struct census *c, uint32_t state)
{
	const struct builder *b = c->b;

	for (size_t i = b->set_at[state]; i < b->set_at[state + 1]; i++) {
		uint32_t item = b->pool[i], rule;

		if (item >= b->nfa->n_nodes)
			break;
		rule = owner(&b->nfa->reach[item]);
		c->places[rule] = (c->places[rule] ^ (item + 1)) * 0x9e3779b97f4a7c15;
	}
	for (size_t i = b->set_at[state]; i < b->set_at[state + 1]; i++) {
		uint32_t item = b->pool[i], rule, number, before = c->combinations.count;
		struct combination found;

		if (item >= b->nfa->n_nodes)
			break;
		rule = owner(&b->nfa->reach[item]);
		found = (struct combination) { c->places[rule], rule };
		c->places[rule] = 0;
		if (found.places && intern(&c->combinations, &found, &number) == 0)
			c->counts[rule] += c->combinations.count - before;
	}
}

static void census_clear(struct census *c)
{
	intern_clear(&c->combinations);
	free(c->places);
	free(c->counts);
}

bool builder_blame(const struct builder *b, uint32_t *ret_rule)
{
	CLEANUP(census_clear)
	struct census c = {
		.b = b,
		.combinations = { .size = sizeof(struct combination), .max = COMBINATIONS_MAX },
	};
	uint32_t n_states = b->automaton->n_states, worst = 0;

	for (uint32_t node = 0; node < b->nfa->n_nodes; node++)
		if (owner(&b->nfa->reach[node]) >= c.n_rules)
			c.n_rules = owner(&b->nfa->reach[node]) + 1;
	c.places = calloc(c.n_rules + 1, sizeof(*c.places));
	c.counts = calloc(c.n_rules + 1, sizeof(*c.counts));
	if (!c.places || !c.counts)
		return false;
	for (uint32_t state = 0; state < n_states && state < SAMPLE_MAX; state++)
		count_state(&c, state);
	for (uint32_t rule = 1; rule < c.n_rules; rule++)
		if (c.counts[rule] > c.counts[worst])
			worst = rule;
	*ret_rule = worst;
	return c.counts[worst] > 0;
}
