/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Precedence by itself. That the evaluator is right is in the table of policy cases; here it is the
 * reference for what the compiler leaves out: rules that policy_drop_shadowed() drops, and places
 * that policy_can_change() gives up, must never have made a difference.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "lib/policy/policy.h"

#define RULES 7
#define POLICIES 20000

struct random {
	uint64_t state;
};

static uint32_t below(struct random *random, uint32_t n)
{
	random->state ^= random->state >> 12;
	random->state ^= random->state << 25;
	random->state ^= random->state >> 27;
	return (random->state * 0x2545f4914f6cdd1d >> 33) % n;
}

/* What reading a policy would note of the rule. */
static void note(struct policy *policy, const struct policy_rule *rule, uint32_t number)
{
	if (!rule_has_verdict(rule) && rule_is_final(rule))
		policy->final_scores |= rule->operations;
	for (unsigned int op = 0; op < 2 && !rule->is_score && !rule->inspect_argv; op++) {
		if (!(rule->operations >> op & 1))
			continue;
		policy->behind_last[op][rule->verdict] = number + 1;
		if (rule_is_final(rule) && policy->first_final[op][rule->verdict] > number)
			policy->first_final[op][rule->verdict] = number;
	}
}

/* A few rules of filters first, as weights have them. */
static void make_score(struct random *random, struct policy_rule *rule, uint32_t number)
{
	rule->is_score = true;
	rule->flags |= !below(random, 3) ? GRITH_OUTCOME_FINAL : 0;
	rule->filter = number < RULES / 2 ? FILTER_PATH_MATCH + below(random, 2) : FILTER_RULE;
	rule->otherwise = rule->filter && !below(random, 3);
	rule->score =
		rule->filter ? 100 * (int)below(random, 4) - 100 : 100 + (int)below(random, 9);
}

/* Rules with few operations and many finals, so that they meet. */
static void make_policy(struct random *random, struct policy *policy, struct policy_rule *rules)
{
	uint32_t n_weights = below(random, RULES / 2 + 1);

	memset(policy->first_final, 0xff, sizeof(policy->first_final));
	policy->rules = rules;
	policy->n_rules = RULES;
	policy->scored = below(random, 4);
	policy->defaults[0] = policy->scored & 1 ? GRITH_ALLOW : below(random, GRITH_VERDICTS);
	policy->defaults[1] = policy->scored & 2 ? GRITH_ALLOW : below(random, GRITH_VERDICTS);
	policy->risk[0] = (struct policy_risk) { .score = 7, .file = "w" };
	policy->risk[1] = (struct policy_risk) { .score = 9 }; /* nothing is said of it */
	for (uint32_t i = 0; i < RULES; i++) {
		struct policy_rule *rule = &rules[i];

		*rule = (struct policy_rule) { .section = POLICY_FILES };
		rule->operations = 1 + below(random, 3);
		rule->verdict = below(random, GRITH_VERDICTS);
		rule->flags |= !below(random, 5) ? GRITH_OUTCOME_ALWAYS : 0;
		rule->labels = below(random, 4) ? 0 : 1 << below(random, 2);
		if (i < n_weights || !below(random, 6)) {
			make_score(random, rule, i < n_weights ? i : RULES);
			rule->flags &= ~GRITH_OUTCOME_ALWAYS;
		} else {
			rule->inspect_argv = !below(random, 10);
			if (!below(random, 3) && rule->verdict != GRITH_ALLOW)
				rule->flags |= GRITH_OUTCOME_FINAL;
		}
		note(policy, rule, i);
	}
}

static size_t list(unsigned int set, uint32_t *rules)
{
	size_t n = 0;

	for (uint32_t i = 0; i < RULES; i++)
		if (set >> i & 1)
			rules[n++] = i;
	return n;
}

static bool same_outcome(const struct policy *policy, unsigned int a, unsigned int b)
{
	for (unsigned int op = 0; op < 2; op++) {
		uint32_t ra[RULES], rb[RULES];
		size_t na = list(a, ra), nb = list(b, rb);
		struct grith_outcome x = policy_resolve(policy, POLICY_FILES, op, ra, na);
		struct grith_outcome y = policy_resolve(policy, POLICY_FILES, op, rb, nb);

		if (memcmp(&x, &y, sizeof(x)) != 0)
			return false;
	}
	return true;
}

static unsigned int left_of(const struct policy *policy, unsigned int set)
{
	uint32_t rules[RULES];
	size_t n = policy_drop_shadowed(policy, rules, list(set, rules));
	unsigned int left = 0;

	for (size_t i = 0; i < n; i++)
		left |= 1u << rules[i];
	return left;
}

Test(policy_eval, shadowed_rules_make_no_difference)
{
	struct random random = { 42 };
	struct policy_rule rules[RULES];
	size_t dropped = 0;

	for (unsigned int i = 0; i < POLICIES; i++) {
		struct policy policy = { 0 };
		unsigned int matched = 1 + below(&random, (1 << RULES) - 1), left;

		make_policy(&random, &policy, rules);
		left = left_of(&policy, matched);
		cr_assert_eq(left & ~matched, 0u);
		dropped += left != matched;
		for (unsigned int others = 0; others < 1 << RULES; others++)
			cr_assert(same_outcome(&policy, matched | others, left | others),
				  "policy %u: %x left of %x, with %x", i, left, matched, others);
	}
	cr_expect_gt(dropped, POLICIES / 4u); /* or the test says nothing */
}

Test(policy_eval, what_does_not_matter_makes_no_difference)
{
	struct random random = { 43 };
	struct policy_rule rules[RULES];
	size_t given_up = 0;

	for (unsigned int i = 0; i < POLICIES; i++) {
		struct policy policy = { 0 };
		unsigned int matched = 1 + below(&random, (1 << RULES) - 1);
		unsigned int possible = 1 + below(&random, (1 << RULES) - 1);
		uint32_t numbers[RULES], top = 0;
		uint64_t influence = 0;

		make_policy(&random, &policy, rules);
		for (uint32_t rule = 0; rule < RULES; rule++) {
			if (!(possible >> rule & 1))
				continue;
			influence |= policy_influence(&policy, rule);
			top = rule;
		}
		if (policy_can_change(&policy, numbers, list(matched, numbers), top, influence))
			continue;
		given_up++;
		for (unsigned int others = 0; others < 1 << RULES; others++)
			cr_assert(same_outcome(&policy, matched | others,
					       matched | (others & ~possible)),
				  "policy %u: %x given up for %x, with %x", i, possible, matched,
				  others);
	}
	cr_expect_gt(given_up, POLICIES / 50u);
}

Test(policy_eval, parts_are_the_score)
{
	struct random random = { 44 };
	struct policy_rule rules[RULES];
	size_t several = 0;

	for (unsigned int i = 0; i < POLICIES; i++) {
		struct policy policy = { 0 };
		uint32_t matched[RULES];
		size_t n = list(below(&random, 1 << RULES), matched);
		CLEANUP(policy_parts_clear) struct policy_parts parts = { 0 };
		struct grith_outcome outcome;
		int sum = 0;

		make_policy(&random, &policy, rules);
		outcome = policy_resolve(&policy, POLICY_FILES, i % 2, matched, n);
		cr_assert_eq(policy_resolve_parts(&policy, POLICY_FILES, i % 2, matched, n, &parts),
			     0);
		for (size_t k = 0; k < parts.count; k++)
			sum += parts.all[k].score;
		cr_assert_eq(sum, outcome.score, "policy %u: %d and %d", i, sum, outcome.score);
		several += parts.count > 1;
	}
	cr_expect_gt(several, POLICIES / 10u);
}

/* By hand, in hundredths: what each sentence of policy_resolve() says of scores. */
Test(policy_eval, scores_of_filters)
{
	static struct policy_rule rules[] = {
		{ .is_score = true, .filter = FILTER_PATH_MATCH, .score = 300, .operations = 1 },
		{ .is_score = true, .filter = FILTER_PATH_MATCH, .score = 500, .operations = 1 },
		{ .is_score = true,
		  .filter = FILTER_SENSITIVE_PATH,
		  .score = 450,
		  .operations = 1,
		  .otherwise = true },
		{ .is_score = true, .filter = FILTER_SENSITIVE_PATH, .score = 0, .operations = 1 },
		{ .is_score = true,
		  .filter = FILTER_PATH_MATCH,
		  .score = 200,
		  .operations = 1,
		  .flags = GRITH_OUTCOME_FINAL,
		  .labels = 1 },
		{ .is_score = true, .score = 50, .operations = 1 },
		{ .verdict = GRITH_ALLOW, .operations = 1 },
		{ .is_score = true, .score = 25, .operations = 1 },
		{ .verdict = GRITH_HOLD, .operations = 1 },
		{ .verdict = GRITH_DENY, .operations = 1 },
	};
	static const struct {
		unsigned int set;
		int score;
		unsigned int classes;
	} cases[] = {
		{ 0x000, 7, 0 }, /* the operation's risk */
		{ 0x001, 307, 0 }, { 0x003, 507, 0 }, /* the highest of a filter */
		{ 0x005, 757, 0 }, /* two filters */
		{ 0x00d, 307, 0 }, /* `otherwise` is not wanted any more */
		{ 0x021, 357, 0 }, /* the policy's own on top */
		{ 0x061, 0, 0 }, /* an allow takes all that back, */
		{ 0x073, 200, 1 }, /* but not what is final, */
		{ 0x0e1, 25, 0 }, /* nor what stands behind it */
		{ 0x121, 357, 0 }, /* a hold takes nothing back */
		{ 0x233, 0, 0 }, /* and a deny is the last word */
	};
	struct policy policy = { .rules = rules,
				 .n_rules = ARRAY_SIZE(rules),
				 .scored = 1,
				 .risk = { { .score = 7, .file = "w" } } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint32_t matched[ARRAY_SIZE(rules)];
		struct grith_outcome outcome;
		size_t n = 0;

		for (uint32_t k = 0; k < ARRAY_SIZE(rules); k++)
			if (cases[i].set >> k & 1)
				matched[n++] = k;
		outcome = policy_resolve(&policy, POLICY_FILES, 0, matched, n);
		cr_expect_eq(outcome.score, cases[i].score, "%#x: %d", cases[i].set, outcome.score);
		cr_expect_eq(outcome.labels, cases[i].classes, "%#x", cases[i].set);
	}
}

Test(policy_eval, hosts)
{
	cr_expect(policy_host_matches("a.example", "a.example"));
	cr_expect(policy_host_matches("a.example", "A.Example"));
	cr_expect_not(policy_host_matches("a.example", "b.a.example"));
	cr_expect(policy_host_matches("*.example", "a.example"));
	cr_expect(policy_host_matches("*.example", "a.b.EXAMPLE"));
	cr_expect_not(policy_host_matches("*.example", "example"));
	cr_expect_not(policy_host_matches("*.example", ".example"));
	cr_expect_not(policy_host_matches("*.example", "anexample"));
	cr_expect_not(policy_host_matches("*.example", ""));
}

Test(policy_eval, classes_of_operations)
{
	for (unsigned int op = 0; op < GRITH_OPS + 2; op++)
		cr_expect_leq(op_class(op), GRITH_OP_CLASSES);
	cr_expect_eq(op_class(GRITH_OP_MAP), GRITH_OP_CLASS_EXEC);
	cr_expect_eq(op_class(GRITH_OP_TRUNCATE), GRITH_OP_CLASS_WRITE);
	cr_expect_eq(op_class(GRITH_OP_SEND), GRITH_OP_CLASS_CONNECT);
	cr_expect_eq(op_class(GRITH_OP_SIGNAL), GRITH_OP_CLASSES);
}
