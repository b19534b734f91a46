/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Shadowed rules: those that match, or may match, and cannot change an outcome any more because of
 * others that match. ("Shadowing" as in Al-Shaer and Hamed 2004, Discovery of policy anomalies in
 * distributed firewalls.) A test tries on all combinations that this agrees with precedence.c.
 */
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

/* Whether rule `a` has no effect on the operation because rule `b` always matches too. */
static bool is_overridden(const struct policy *policy, uint32_t a, uint32_t b, unsigned int op)
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
static bool surely_decides(const struct policy *policy, uint32_t b, unsigned int op)
{
	const struct policy_rule *rule = &policy->rules[b];

	return rule_has_verdict(rule) && rule->operations >> op & 1 &&
	       rule->verdict == GRITH_ALLOW && b >= policy->behind_last[op][GRITH_HOLD] &&
	       policy->first_final[op][GRITH_HOLD] == UINT32_MAX;
}

/* Whether `a`, a score or an inspection, adds nothing because rule `b` matches too. */
static bool cancels(const struct policy *policy, uint32_t a, uint32_t b, unsigned int op)
{
	const struct policy_rule *ra = &policy->rules[a];

	if (surely_refuses(policy, b, op))
		return true;
	return !rule_is_final(ra) && (ra->filter || a < b) && surely_decides(policy, b, op);
}

/* Whether `b` counts in its filter wherever `a` does, and more. */
static bool outscores(const struct policy_rule *ra, const struct policy_rule *rb, unsigned int op)
{
	if (!ra->filter || ra->filter != rb->filter || !(rb->operations >> op & 1) ||
	    (rule_is_final(ra) && !rule_is_final(rb)))
		return false;
	return ra->otherwise == rb->otherwise ? rb->score >= ra->score : ra->otherwise;
}

/* Whether the labels of `b` are those of the object wherever the labels of `a` are. */
static bool covers_labels(const struct policy_rule *ra, const struct policy_rule *rb,
			  unsigned int op)
{
	if (!(rb->operations >> op & 1))
		return false;
	/* Those of a score or an inspection go with it. */
	return rule_has_verdict(rb) ||
	       (!rule_has_verdict(ra) && (rule_is_final(rb) || (ra->filter && !rule_is_final(ra))));
}

/* Whether the rule at `index` makes no difference to the operation. */
static bool has_no_effect(const struct policy *policy, const uint32_t *rules, size_t n_rules,
			  size_t index, unsigned int op)
{
	const struct policy_rule *rule = &policy->rules[rules[index]];
	bool overridden = false, cancelled = false;
	uint16_t labels = 0;

	for (size_t i = 0; i < n_rules; i++) {
		const struct policy_rule *other = &policy->rules[rules[i]];

		if (i == index)
			continue;
		if (rule_has_verdict(rule))
			overridden =
				overridden || is_overridden(policy, rules[index], rules[i], op);
		else
			cancelled = cancelled || cancels(policy, rules[index], rules[i], op);
		overridden = overridden || (rule->is_score && outscores(rule, other, op));
		labels |= covers_labels(rule, other, op) ? other->labels : 0;
	}
	if (cancelled && !rule_has_verdict(rule))
		return true;
	return (overridden || cancelled) && !(rule->labels & ~labels);
}

static bool is_shadowed(const struct policy *policy, const uint32_t *rules, size_t n_rules,
			size_t index)
{
	const struct policy_rule *rule = &policy->rules[rules[index]];

	for (unsigned int op = 0; op < GRITH_OP_CLASSES; op++)
		if (rule->operations >> op & 1 && !has_no_effect(policy, rules, n_rules, index, op))
			return false;
	return true;
}

size_t policy_drop_shadowed(const struct policy *policy, uint32_t *rules, size_t n_rules)
{
	size_t i = 0;

	while (i < n_rules) {
		if (!is_shadowed(policy, rules, n_rules, i)) {
			i++;
			continue;
		}
		n_rules--;
		memmove(&rules[i], &rules[i + 1], (n_rules - i) * sizeof(*rules));
	}
	return n_rules;
}

/*
 * Bits of an influence: one for each operation and verdict, one for each operation with scores, two
 * for `final` scores of reading and of all else, and one for rules that nothing shadows.
 */
#define VERDICT_BIT(op, verdict) (UINT64_C(1) << ((op)*GRITH_VERDICTS + (verdict)))
#define SCORE_BIT(op) (UINT64_C(1) << (GRITH_OP_CLASSES * GRITH_VERDICTS + (op)))
#define FINAL_READ_BIT (UINT64_C(1) << 60)
#define FINAL_BIT (UINT64_C(1) << 61)
#define ALWAYS_BIT (UINT64_C(1) << 63)
_Static_assert(GRITH_OP_CLASSES *(GRITH_VERDICTS + 1) <= 60, "the bits of a influence");

static uint64_t score_influence(const struct policy_rule *rule)
{
	uint64_t influence = 0;

	for (unsigned int op = 0; op < GRITH_OP_CLASSES; op++) {
		if (!(rule->operations >> op & 1))
			continue;
		if (!rule_is_final(rule))
			influence |= SCORE_BIT(op);
		else
			influence |= op == GRITH_OP_CLASS_READ ? FINAL_READ_BIT : FINAL_BIT;
	}
	return influence;
}

uint64_t policy_influence(const struct policy *policy, uint32_t number)
{
	const struct policy_rule *rule = &policy->rules[number];
	uint64_t influence = 0;

	if (!rule_has_verdict(rule))
		return score_influence(rule);
	if (rule_is_final(rule) || rule->labels)
		return ALWAYS_BIT;
	for (unsigned int op = 0; op < GRITH_OP_CLASSES; op++)
		if (rule->operations >> op & 1)
			influence |= VERDICT_BIT(op, rule->verdict);
	return influence;
}

/* Whether one of the rules beats all others up to `top` that have this verdict or a milder one. */
static bool all_overridden(const struct policy *policy, const uint32_t *rules, size_t n_rules,
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
static bool all_cancelled(const struct policy *policy, const uint32_t *rules, size_t n_rules,
			  uint32_t top, unsigned int op, bool kept)
{
	for (size_t i = 0; i < n_rules; i++) {
		if (surely_refuses(policy, rules[i], op))
			return true;
		if (!kept && rules[i] > top && surely_decides(policy, rules[i], op))
			return true;
	}
	return false;
}

static bool scores_can_change(const struct policy *policy, const uint32_t *rules, size_t n_rules,
			      uint32_t top, uint64_t influence)
{
	for (unsigned int op = 0; op < GRITH_OP_CLASSES; op++) {
		uint64_t kept = op == GRITH_OP_CLASS_READ ? FINAL_READ_BIT : FINAL_BIT;

		if (influence & kept && policy->final_scores >> op & 1 &&
		    !all_cancelled(policy, rules, n_rules, top, op, true))
			return true;
		if (influence & SCORE_BIT(op) &&
		    !all_cancelled(policy, rules, n_rules, top, op, false))
			return true;
	}
	return false;
}

bool policy_can_change(const struct policy *policy, const uint32_t *rules, size_t n_rules,
		       uint32_t top, uint64_t influence)
{
	if (influence & ALWAYS_BIT || scores_can_change(policy, rules, n_rules, top, influence))
		return true;
	for (unsigned int op = 0; op < GRITH_OP_CLASSES; op++)
		for (unsigned int v = GRITH_VERDICTS; v-- > 0;)
			if (influence & VERDICT_BIT(op, v) &&
			    !all_overridden(policy, rules, n_rules, top, op, v))
				return true;
	return false;
}
