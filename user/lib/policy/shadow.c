/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Which of the rules that match, or may match, have no say any more. That this agrees with
 * precedence.c is for the reader to see and for a test to try on all combinations.
 */
#include <string.h>

#include "eval.h"

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

	if (!rule_has_verdict(rb) || !(rb->operations >> op & 1))
		return false;
	/* A final verdict before it leaves no room for one that is not stricter. */
	if (b < a && rule_is_final(rb) && ra->verdict <= rb->verdict)
		return true;
	if (b < a || (rule_is_final(ra) && !rule_is_final(rb)))
		return false;
	/* Later and final itself: it must be stricter, or it would not win over the final `a`. */
	if (rule_is_final(ra))
		return rb->verdict > ra->verdict;
	return wins_over(policy, op, rb->verdict, ra->verdict, a);
}

/* Whether the operation is refused, whatever else matches, because rule `b` does. */
static bool surely_refuses(const struct policy *policy, uint32_t b, unsigned int op)
{
	const struct policy_rule *rule = &policy->rules[b];

	if (!rule_has_verdict(rule) || !(rule->operations >> op & 1) || rule->verdict < GRITH_DENY)
		return false;
	return rule_is_final(rule) || (b >= policy->behind_last[op][GRITH_ALLOW] &&
				       b >= policy->behind_last[op][GRITH_HOLD]);
}

/* Whether it is refused, or allowed by `b` or a later rule: nothing is left that could hold it. */
static bool surely_settles(const struct policy *policy, uint32_t b, unsigned int op)
{
	const struct policy_rule *rule = &policy->rules[b];

	return rule_has_verdict(rule) && rule->operations >> op & 1 &&
	       rule->verdict == GRITH_ALLOW && b >= policy->behind_last[op][GRITH_HOLD] &&
	       policy->first_final[op][GRITH_HOLD] == UINT32_MAX;
}

/* Whether score rule `a` adds nothing because rule `b` matches too. */
static bool silences(const struct policy *policy, uint32_t a, uint32_t b, unsigned int op)
{
	const struct policy_rule *ra = &policy->rules[a];

	if (surely_refuses(policy, b, op))
		return true;
	return !rule_is_final(ra) && (ra->filter || a < b) && surely_settles(policy, b, op);
}

/* Whether `b` counts in its filter wherever `a` does, and more. */
static bool outdoes(const struct policy_rule *ra, const struct policy_rule *rb, unsigned int op)
{
	if (!ra->filter || ra->filter != rb->filter || !(rb->operations >> op & 1) ||
	    (rule_is_final(ra) && !rule_is_final(rb)))
		return false;
	return ra->otherwise == rb->otherwise ? rb->score >= ra->score : ra->otherwise;
}

/* Whether the labels of `b` are those of the object wherever the labels of `a` are. */
static bool covers(const struct policy_rule *ra, const struct policy_rule *rb, unsigned int op)
{
	if (!(rb->operations >> op & 1))
		return false;
	return !rb->filter || (ra->filter && (rule_is_final(rb) || !rule_is_final(ra)));
}

/* Whether the rule at `index` makes no difference to the operation. */
static bool is_idle(const struct policy *policy, const uint32_t *rules, size_t n_rules,
		    size_t index, unsigned int op)
{
	const struct policy_rule *rule = &policy->rules[rules[index]];
	bool beaten = false, silenced = false;
	uint16_t labels = 0;

	for (size_t i = 0; i < n_rules; i++) {
		const struct policy_rule *other = &policy->rules[rules[i]];

		if (i == index)
			continue;
		if (rule_has_verdict(rule))
			beaten = beaten || is_beaten(policy, rules[index], rules[i], op);
		else
			silenced = silenced || silences(policy, rules[index], rules[i], op);
		beaten = beaten || (rule->is_score && outdoes(rule, other, op));
		labels |= covers(rule, other, op) ? other->labels : 0;
	}
	/* The labels of a filter's rule go with its score. */
	if (silenced && rule->filter)
		return true;
	return (beaten || silenced) && !(rule->labels & ~labels);
}

static bool is_needless(const struct policy *policy, const uint32_t *rules, size_t n_rules,
			size_t index)
{
	const struct policy_rule *rule = &policy->rules[rules[index]];

	if (rule->inspect_argv)
		return false;
	for (unsigned int op = 0; op < GRITH_OP_CLASSES; op++)
		if (rule->operations >> op & 1 && !is_idle(policy, rules, n_rules, index, op))
			return false;
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

/*
 * Bits of a weight: one for each operation and verdict, one for each operation with scores, two for
 * `final` scores of reading and of all else, and one for rules that nothing beats.
 */
#define WEIGHT_BIT(op, verdict) (UINT64_C(1) << ((op)*GRITH_VERDICTS + (verdict)))
#define WEIGHT_SCORE(op) (UINT64_C(1) << (GRITH_OP_CLASSES * GRITH_VERDICTS + (op)))
#define WEIGHT_FINAL_READ (UINT64_C(1) << 60)
#define WEIGHT_FINAL (UINT64_C(1) << 61)
#define WEIGHT_SPECIAL (UINT64_C(1) << 63)
_Static_assert(GRITH_OP_CLASSES *(GRITH_VERDICTS + 1) <= 60, "the bits of a weight");

static uint64_t score_weight(const struct policy_rule *rule)
{
	uint64_t weight = 0;

	if (!rule->filter && rule->labels)
		return WEIGHT_SPECIAL;
	for (unsigned int op = 0; op < GRITH_OP_CLASSES; op++) {
		if (!(rule->operations >> op & 1))
			continue;
		if (!rule_is_final(rule))
			weight |= WEIGHT_SCORE(op);
		else
			weight |= op == GRITH_OP_CLASS_READ ? WEIGHT_FINAL_READ : WEIGHT_FINAL;
	}
	return weight;
}

uint64_t policy_weight(const struct policy *policy, uint32_t number)
{
	const struct policy_rule *rule = &policy->rules[number];
	uint64_t weight = 0;

	if (rule->is_score)
		return score_weight(rule);
	if (!rule_has_verdict(rule) || rule_is_final(rule) || rule->labels)
		return WEIGHT_SPECIAL;
	for (unsigned int op = 0; op < GRITH_OP_CLASSES; op++)
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

		if (rules[i] > top && rule_has_verdict(rule) && rule->operations >> op & 1 &&
		    wins_over(policy, op, rule->verdict, strictest, top))
			return true;
	}
	return false;
}

/* Whether no score up to `top` adds anything; `kept` ones are final. */
static bool all_silenced(const struct policy *policy, const uint32_t *rules, size_t n_rules,
			 uint32_t top, unsigned int op, bool kept)
{
	for (size_t i = 0; i < n_rules; i++) {
		if (surely_refuses(policy, rules[i], op))
			return true;
		if (!kept && rules[i] > top && surely_settles(policy, rules[i], op))
			return true;
	}
	return false;
}

static bool scores_matter(const struct policy *policy, const uint32_t *rules, size_t n_rules,
			  uint32_t top, uint64_t weight)
{
	for (unsigned int op = 0; op < GRITH_OP_CLASSES; op++) {
		uint64_t kept = op == GRITH_OP_CLASS_READ ? WEIGHT_FINAL_READ : WEIGHT_FINAL;

		if (weight & kept && policy->final_scores >> op & 1 &&
		    !all_silenced(policy, rules, n_rules, top, op, true))
			return true;
		if (weight & WEIGHT_SCORE(op) &&
		    !all_silenced(policy, rules, n_rules, top, op, false))
			return true;
	}
	return false;
}

bool policy_matters(const struct policy *policy, const uint32_t *rules, size_t n_rules,
		    uint32_t top, uint64_t weight)
{
	if (weight & WEIGHT_SPECIAL || scores_matter(policy, rules, n_rules, top, weight))
		return true;
	for (unsigned int op = 0; op < GRITH_OP_CLASSES; op++)
		for (unsigned int v = GRITH_VERDICTS; v-- > 0;)
			if (weight & WEIGHT_BIT(op, v) &&
			    !all_beaten(policy, rules, n_rules, top, op, v))
				return true;
	return false;
}
