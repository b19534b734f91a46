/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Precedence by itself. That the evaluator is right is in the table of policy cases; here it is the
 * reference for what the compiler leaves out: rules that policy_settle() drops, and places that
 * policy_matters() gives up, must never have made a difference.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "policy_eval.h"

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

/* Rules with few operations and many finals, so that they meet. */
static void make_policy(struct random *random, struct policy *policy, struct policy_rule *rules)
{
	memset(policy->first_final, 0xff, sizeof(policy->first_final));
	policy->rules = rules;
	policy->n_rules = RULES;
	for (uint32_t i = 0; i < RULES; i++) {
		struct policy_rule *rule = &rules[i];

		*rule = (struct policy_rule) { .section = POLICY_FILES };
		rule->operations = 1 + below(random, 3);
		rule->verdict = below(random, GRITH_VERDICTS);
		rule->is_score = !below(random, 6);
		rule->judge_argv = !rule->is_score && !below(random, 10);
		rule->score = rule->is_score ? 100 + i : 0;
		rule->final = !below(random, 3) && (rule->verdict != GRITH_ALLOW || rule->is_score);
		rule->always = !below(random, 5);
		rule->classes = below(random, 4) ? 0 : 1 << below(random, 2);
		if (!rule->final || rule->is_score || rule->judge_argv)
			continue;
		for (unsigned int op = 0; op < 2; op++)
			if (rule->operations >> op & 1 &&
			    policy->first_final[op][rule->verdict] > i)
				policy->first_final[op][rule->verdict] = i;
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

static unsigned int settled(const struct policy *policy, unsigned int set)
{
	uint32_t rules[RULES];
	size_t n = policy_settle(policy, rules, list(set, rules));
	unsigned int left = 0;

	for (size_t i = 0; i < n; i++)
		left |= 1u << rules[i];
	return left;
}

Test(policy_eval, settled_rules_make_no_difference)
{
	struct random random = { 42 };
	struct policy_rule rules[RULES];
	size_t dropped = 0;

	for (unsigned int i = 0; i < POLICIES; i++) {
		struct policy policy = { 0 };
		unsigned int matched = 1 + below(&random, (1 << RULES) - 1), left;

		make_policy(&random, &policy, rules);
		left = settled(&policy, matched);
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
		uint64_t weight = 0;

		make_policy(&random, &policy, rules);
		for (uint32_t rule = 0; rule < RULES; rule++) {
			if (!(possible >> rule & 1))
				continue;
			weight |= policy_weight(&policy, rule);
			top = rule;
		}
		if (policy_matters(&policy, numbers, list(matched, numbers), top, weight))
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
		cr_expect_leq(grith_class_of(op), GRITH_CLASSES);
	cr_expect_eq(grith_class_of(GRITH_OP_MAP), GRITH_CLASS_EXEC);
	cr_expect_eq(grith_class_of(GRITH_OP_TRUNCATE), GRITH_CLASS_WRITE);
	cr_expect_eq(grith_class_of(GRITH_OP_SEND), GRITH_CLASS_CONNECT);
	cr_expect_eq(grith_class_of(GRITH_OP_SIGNAL), GRITH_CLASSES);
}
