/* SPDX-License-Identifier: MPL-2.0 */
/*
 * In which order rules beat each other: what the rules that match say together, and which of them
 * have no say any more. That the latter agrees with the former is for the reader to see and for a
 * test to try on all combinations.
 */
#include <string.h>

#include "policy_eval.h"

static bool has_verdict(const struct policy_rule *rule)
{
	return !rule->is_score && !rule->judge_argv;
}

static enum grith_verdict default_of(const struct policy *policy, enum policy_section section,
				     unsigned int op)
{
	switch (section) {
	case POLICY_NETWORK:
		return policy->net_defaults[op];
	case POLICY_SOCKETS:
		return policy->socket_default;
	default:
		return policy->defaults[op];
	}
}

/* What scores and judges have added up to. */
struct extras {
	int32_t score;
	bool judge;
};

static void add_extra(struct extras *extras, const struct policy_rule *rule)
{
	extras->score += rule->score;
	extras->judge |= rule->judge_argv;
}

static int16_t clamp(int32_t score)
{
	return score > INT16_MAX ? INT16_MAX : score < INT16_MIN ? INT16_MIN : score;
}

struct grith_outcome policy_resolve(const struct policy *policy, enum policy_section section,
				    unsigned int op, const uint32_t *rules, size_t n_rules)
{
	const struct policy_rule *winner = NULL, *final = NULL;
	struct extras kept = { 0 }, before = { 0 }, after = { 0 }; /* the winner */
	struct grith_outcome outcome = { .verdict = default_of(policy, section, op) };

	for (size_t i = 0; i < n_rules; i++) {
		const struct policy_rule *rule = &policy->rules[rules[i]];

		if (!(rule->operations >> op & 1))
			continue;
		outcome.classes |= rule->classes;
		if (!has_verdict(rule)) {
			add_extra(rule->final ? &kept : &after, rule);
			continue;
		}
		if (final && rule->verdict <= final->verdict)
			continue;
		winner = rule;
		if (rule->final)
			final = rule;
		before.score += after.score;
		before.judge |= after.judge;
		after = (struct extras) { 0 };
	}
	if (winner) {
		outcome.rule = winner - policy->rules + 1;
		outcome.verdict = winner->verdict;
		outcome.flags |= winner->final ? GRITH_OUTCOME_FINAL : 0;
		outcome.flags |= winner->always ? GRITH_OUTCOME_ALWAYS : 0;
		if (winner->verdict == GRITH_ALLOW)
			before = (struct extras) { 0 };
	}
	if (kept.judge || before.judge || after.judge)
		outcome.flags |= GRITH_OUTCOME_JUDGE_ARGV;
	outcome.score = clamp(kept.score + before.score + after.score);
	return outcome;
}

/*
 * Whether a later rule with verdict `winner` always wins over rule `number`, which is not final, or
 * over what wins over that: only an earlier final verdict between the two can keep it from it.
 */
static bool wins_over(const struct policy *policy, unsigned int op, enum grith_verdict winner,
		      enum grith_verdict loser, uint32_t number)
{
	for (unsigned int v = winner; v < loser; v++)
		if (policy->first_final[op][v] < number)
			return false;
	return true;
}

/* Whether rule `a` has no say in the operation because rule `b` always matches too. */
static bool is_beaten(const struct policy *policy, uint32_t a, uint32_t b, unsigned int op)
{
	const struct policy_rule *ra = &policy->rules[a], *rb = &policy->rules[b];

	if (!has_verdict(rb) || !(rb->operations >> op & 1))
		return false;
	/* A final verdict before it leaves no room for one that is not stricter. */
	if (b < a && rb->final && ra->verdict <= rb->verdict)
		return true;
	if (b < a || (ra->final && !rb->final))
		return false;
	/* Later and final itself: it must be stricter, or it would not win over the final `a`. */
	if (ra->final)
		return rb->verdict > ra->verdict;
	return wins_over(policy, op, rb->verdict, ra->verdict, a);
}

static bool is_needless(const struct policy *policy, const uint32_t *rules, size_t n_rules,
			size_t index)
{
	const struct policy_rule *rule = &policy->rules[rules[index]];

	if (!has_verdict(rule))
		return false;
	for (unsigned int op = 0; op < GRITH_CLASSES; op++) {
		uint16_t classes = 0;
		bool beaten = false;

		if (!(rule->operations >> op & 1))
			continue;
		for (size_t i = 0; i < n_rules; i++) {
			if (i == index)
				continue;
			beaten = beaten || is_beaten(policy, rules[index], rules[i], op);
			if (policy->rules[rules[i]].operations >> op & 1)
				classes |= policy->rules[rules[i]].classes;
		}
		if (!beaten || rule->classes & ~classes)
			return false;
	}
	return true;
}

size_t policy_settle(const struct policy *policy, uint32_t *rules, size_t n_rules)
{
	size_t i = 0;

	while (i < n_rules) {
		if (!is_needless(policy, rules, n_rules, i)) {
			i++;
			continue;
		}
		n_rules--;
		memmove(&rules[i], &rules[i + 1], (n_rules - i) * sizeof(*rules));
	}
	return n_rules;
}

/* Bits of a weight: one for each operation and verdict, and one for rules that nothing beats. */
#define WEIGHT_BIT(op, verdict) (UINT64_C(1) << ((op)*GRITH_VERDICTS + (verdict)))
#define WEIGHT_SPECIAL (UINT64_C(1) << 63)
_Static_assert(GRITH_CLASSES *GRITH_VERDICTS < 63, "the bits of a weight");

uint64_t policy_weight(const struct policy *policy, uint32_t number)
{
	const struct policy_rule *rule = &policy->rules[number];
	uint64_t weight = 0;

	if (!has_verdict(rule) || rule->final || rule->classes)
		return WEIGHT_SPECIAL;
	for (unsigned int op = 0; op < GRITH_CLASSES; op++)
		if (rule->operations >> op & 1)
			weight |= WEIGHT_BIT(op, rule->verdict);
	return weight;
}

/* Whether one of the rules beats all others up to `top` that have this verdict or a milder one. */
static bool all_beaten(const struct policy *policy, const uint32_t *rules, size_t n_rules,
		       uint32_t top, unsigned int op, enum grith_verdict strictest)
{
	for (size_t i = 0; i < n_rules; i++) {
		const struct policy_rule *rule = &policy->rules[rules[i]];

		if (rules[i] > top && has_verdict(rule) && rule->operations >> op & 1 &&
		    wins_over(policy, op, rule->verdict, strictest, top))
			return true;
	}
	return false;
}

bool policy_matters(const struct policy *policy, const uint32_t *rules, size_t n_rules,
		    uint32_t top, uint64_t weight)
{
	if (weight & WEIGHT_SPECIAL)
		return true;
	for (unsigned int op = 0; op < GRITH_CLASSES; op++)
		for (unsigned int v = GRITH_VERDICTS; v-- > 0;)
			if (weight & WEIGHT_BIT(op, v) &&
			    !all_beaten(policy, rules, n_rules, top, op, v))
				return true;
	return false;
}
