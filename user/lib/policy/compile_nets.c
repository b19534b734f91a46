/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The network rules of a policy as prefixes with ranges of ports. The kernel finds the longest
 * prefix of an address and looks at nothing else, so each prefix includes the rules of the wider
 * ones, and for each port these are resolved together.
 */
#include "lib/base/base.h"
#include "lib/policy/automaton/automaton.h"
#include "compile.h"

#define NET_CUTS_MAX 1024 /* ports at which some rule for one prefix begins or ends */
#define NET_WORK_MAX 200000000 /* rules looked at: a bound on time */
#define PREFIX_DEPTH 129 /* prefixes of one address */

/* A rule and one of its prefixes; rule UINT32_MAX is none, for the entry that always is there. */
struct claim {
	struct policy_prefix prefix;
	uint32_t rule;
};

struct claims {
	struct claim *all;
	size_t count;
};

/* The rules for a prefix and for those around it, ascending. */
struct level {
	struct policy_prefix prefix;
	uint32_t *rules;
	size_t n_rules;
};

struct stack {
	struct level levels[PREFIX_DEPTH];
	size_t depth;
};

static int too_big(struct compiler *c, const char *why)
{
	c->why = why;
	return -E2BIG;
}

static int claim(struct claims *claims, const struct policy_prefix *prefix, uint32_t rule)
{
	if (ARRAY_GROW(claims->all, claims->count) < 0)
		return -ENOMEM;
	claims->all[claims->count++] = (struct claim) { *prefix, rule };
	return 0;
}

static int claim_hosts(struct claims *claims, const struct compiler *c, uint32_t number)
{
	const struct policy_rule *rule = &c->policy->rules[number];
	int r = 0;

	for (size_t i = 0; i < rule->n_hosts; i++) {
		for (size_t k = 0; k < c->n_hosts && r == 0; k++) {
			struct policy_prefix prefix = { .bits = 128 };

			if (!policy_host_matches(rule->hosts[i], c->hosts[k].name))
				continue;
			memcpy(prefix.address, c->hosts[k].address, sizeof(prefix.address));
			r = claim(claims, &prefix, number);
		}
	}
	return r;
}

static int collect(struct claims *claims, const struct compiler *c)
{
	static const struct policy_prefix every;
	int r = claim(claims, &every, UINT32_MAX);

	for (uint32_t i = 0; i < c->policy->n_rules && r == 0; i++) {
		const struct policy_rule *rule = &c->policy->rules[i];

		if (rule->section != POLICY_NETWORK)
			continue;
		if (!rule->n_prefixes && !rule->n_hosts)
			r = claim(claims, &every, i);
		for (size_t k = 0; k < rule->n_prefixes && r == 0; k++)
			r = claim(claims, &rule->prefixes[k], i);
		r = r ?: claim_hosts(claims, c, i);
	}
	return r;
}

/* A prefix comes right before those inside it; of one prefix the rules ascend. */
static int compare_claims(const void *a, const void *b)
{
	const struct claim *x = a, *y = b;
	int order = memcmp(&x->prefix, &y->prefix, sizeof(x->prefix));

	_Static_assert(sizeof(x->prefix) == 17, "address and bits, without padding");
	if (order)
		return order;
	return x->rule < y->rule ? -1 : x->rule > y->rule;
}

static bool is_inside(const struct policy_prefix *outer, const struct policy_prefix *inner)
{
	return outer->bits <= inner->bits && policy_prefix_has(outer, inner->address);
}

static void pop(struct stack *stack)
{
	free(stack->levels[--stack->depth].rules);
}

static void stack_clear(struct stack *stack)
{
	while (stack->depth)
		pop(stack);
}

/* A level for the claims of one prefix, with the rules of the level around it. */
static int push(struct stack *stack, const struct claim *claims, size_t n_claims)
{
	const struct level *outer = stack->depth ? &stack->levels[stack->depth - 1] : NULL;
	size_t n_outer = outer ? outer->n_rules : 0, i = 0, k = 0, n = 0;
	uint32_t *rules = calloc(n_outer + n_claims, sizeof(*rules));

	if (!rules)
		return -ENOMEM;
	while (i < n_outer || k < n_claims) {
		uint32_t a = i < n_outer ? outer->rules[i] : UINT32_MAX;
		uint32_t b = k < n_claims ? claims[k].rule : UINT32_MAX;
		uint32_t rule = a < b ? a : b;

		i += i < n_outer && a == rule;
		k += k < n_claims && b == rule;
		if (rule != UINT32_MAX && (!n || rules[n - 1] != rule))
			rules[n++] = rule;
	}
	stack->levels[stack->depth++] =
		(struct level) { .prefix = claims->prefix, .rules = rules, .n_rules = n };
	return 0;
}

struct cuts {
	uint32_t *ports;
	size_t count;
};

static void cuts_clear(struct cuts *cuts)
{
	free(cuts->ports);
}

static int add_cut(struct cuts *cuts, uint32_t port)
{
	if (ARRAY_GROW(cuts->ports, cuts->count) < 0)
		return -ENOMEM;
	cuts->ports[cuts->count++] = port;
	return 0;
}

/* The ports from which on other rules may match than before, from 0 to 65536 and each once. */
static int find_cuts(struct compiler *c, const struct level *level, struct cuts *cuts)
{
	int r = add_cut(cuts, 0) ?: add_cut(cuts, 65536);

	for (size_t i = 0; i < level->n_rules; i++) {
		const struct policy_rule *rule = &c->policy->rules[level->rules[i]];

		c->work += 1 + rule->n_ports;
		for (size_t k = 0; k < rule->n_ports && r == 0; k++)
			r = add_cut(cuts, rule->ports[k].low)
				    ?: add_cut(cuts, rule->ports[k].high + 1u);
	}
	if (r < 0)
		return r;
	cuts->count = sort_unique(cuts->ports, cuts->count);
	if (cuts->count > NET_CUTS_MAX)
		return too_big(c, "too many different ports for one address (NET_CUTS_MAX, 1024): "
				  "write ranges");
	return 0;
}

/* The outcomes of a level for one port. */
static int resolve_port(struct compiler *c, const struct level *level, uint16_t port,
			struct grith_port_range *range)
{
	OWNED_MEM uint32_t *matches = calloc(level->n_rules + 1, sizeof(*matches));
	size_t n = 0;
	int r = 0;

	if (!matches)
		return -ENOMEM;
	for (size_t i = 0; i < level->n_rules; i++) {
		const struct policy_rule *rule = &c->policy->rules[level->rules[i]];

		c->work += 1 + rule->n_ports;
		if (policy_rule_has_port(rule, port))
			matches[n++] = level->rules[i];
	}
	if (c->work > NET_WORK_MAX)
		return too_big(c, "the network rules combine in too many ways (NET_WORK_MAX): "
				  "put several networks or ports into one rule");
	for (unsigned int op = 0; op < GRITH_NET_OPS && r == 0; op++) {
		struct grith_outcome outcome =
			policy_resolve(c->policy, POLICY_NETWORK, op, matches, n);

		r = compile_outcome(c, &outcome, &range->outcome[op]);
	}
	return r;
}

/* Adds a range, or makes the last one longer where nothing changes. */
static int add_range(struct compiler *c, size_t first, const struct grith_port_range *range)
{
	struct grith_port_range *last = c->n_ranges > first ? &c->ranges[c->n_ranges - 1] : NULL;

	if (last && memcmp(last->outcome, range->outcome, sizeof(range->outcome)) == 0) {
		last->high = range->high;
		return 0;
	}
	if (c->n_ranges - first == GRITH_PORT_RANGES)
		return too_big(c,
			       "too many different ranges of ports for one address "
			       "(GRITH_PORT_RANGES, 64): put ports into one rule, or widen them");
	if (ARRAY_GROW(c->ranges, c->n_ranges) < 0)
		return -ENOMEM;
	c->ranges[c->n_ranges++] = *range;
	return 0;
}

static int add_net(struct compiler *c, const struct level *level)
{
	CLEANUP(cuts_clear) struct cuts cuts = { 0 };
	size_t first = c->n_ranges;
	int r;

	if (c->n_nets == GRITH_MAX_NETS)
		return too_big(c, "too many networks (GRITH_MAX_NETS, 65536): widen some");
	r = find_cuts(c, level, &cuts);
	for (size_t i = 0; i + 1 < cuts.count && r == 0; i++) {
		struct grith_port_range range = {
			.low = cuts.ports[i],
			.high = cuts.ports[i + 1] - 1,
		};

		r = resolve_port(c, level, range.low, &range) ?: add_range(c, first, &range);
	}
	r = r ?: ARRAY_GROW(c->nets, c->n_nets);
	if (r < 0)
		return r;
	c->nets[c->n_nets++] = (struct policy_net_entry) {
		.prefix = level->prefix,
		.value = { .ranges = first, .count = c->n_ranges - first },
	};
	return 0;
}

static int add_prefixes(struct compiler *c, const struct claims *claims)
{
	CLEANUP(stack_clear) struct stack stack = { 0 };
	size_t next;
	int r = 0;

	for (size_t i = 0; i < claims->count && r == 0; i = next) {
		const struct policy_prefix *prefix = &claims->all[i].prefix;

		for (next = i + 1; next < claims->count; next++)
			if (memcmp(&claims->all[next].prefix, prefix, sizeof(*prefix)) != 0)
				break;
		while (stack.depth && !is_inside(&stack.levels[stack.depth - 1].prefix, prefix))
			pop(&stack);
		c->work += next - i + (stack.depth ? stack.levels[stack.depth - 1].n_rules : 0);
		r = push(&stack, &claims->all[i], next - i)
			    ?: add_net(c, &stack.levels[stack.depth - 1]);
	}
	return r;
}

int compile_nets(struct compiler *c)
{
	struct claims claims = { 0 };
	int r = collect(&claims, c);

	if (r == 0) {
		qsort(claims.all, claims.count, sizeof(*claims.all), compare_claims);
		r = add_prefixes(c, &claims);
	}
	free(claims.all);
	return r;
}
