/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Precedence: which of the rules that match wins, and what the others add to the score. The rules
 * are those of eval.h. Which rules cannot have an effect any more is shadow.c.
 */
#include "lib/base/base.h"
#include "eval.h"

/* The rule that wins, and what follows from it alone. */
struct ruling {
	const struct policy_rule *winner; /* NULL: the policy's default */
	uint32_t number; /* of the winner */
	enum grith_verdict verdict;
	bool refuses; /* `deny` or `hide`: no score changes that */
	const struct policy_risk *risk; /* what the operation itself adds; NULL: nothing */
};

/* The sum of the scores of the rules that apply. */
struct tally {
	const struct policy_rule *best[N_FILTERS]; /* the one result of a filter */
	int32_t own;
	uint16_t labels;
	bool inspect_argv;
};

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

static const struct policy_risk *risk_of(const struct policy *policy, enum policy_section section,
					 unsigned int op)
{
	const struct policy_risk *risk = NULL;

	if (section == POLICY_NETWORK && policy->net_scored >> op & 1)
		risk = &policy->net_risk[op];
	else if (section != POLICY_NETWORK && section != POLICY_SOCKETS && policy->scored >> op & 1)
		risk = &policy->risk[op];
	return risk && risk->file ? risk : NULL;
}

static struct ruling rule_on(const struct policy *policy, enum policy_section section,
			     unsigned int op, const uint32_t *rules, size_t n_rules)
{
	struct ruling ruling = { .verdict = default_of(policy, section, op) };
	const struct policy_rule *final = NULL;

	for (size_t i = 0; i < n_rules; i++) {
		const struct policy_rule *rule = &policy->rules[rules[i]];

		if (!(rule->operations >> op & 1) || !rule_has_verdict(rule) ||
		    (final && rule->verdict <= final->verdict))
			continue;
		ruling.winner = rule;
		ruling.number = rules[i];
		ruling.verdict = rule->verdict;
		if (rule_is_final(rule))
			final = rule;
	}
	ruling.refuses = ruling.verdict == GRITH_DENY || ruling.verdict == GRITH_HIDE;
	if (!ruling.refuses && !(ruling.winner && ruling.verdict == GRITH_ALLOW))
		ruling.risk = risk_of(policy, section, op);
	return ruling;
}

/* Whether a score or an inspection of argv stays in effect beside the winner. */
static bool is_kept(const struct ruling *ruling, const struct policy_rule *rule, uint32_t number)
{
	if (!ruling->winner || ruling->verdict != GRITH_ALLOW || rule_is_final(rule))
		return true;
	return !rule->filter && number > ruling->number;
}

/* Of two rules of one filter the one that is its result; `a` may be NULL. */
static const struct policy_rule *higher(const struct policy_rule *a, const struct policy_rule *b)
{
	if (!a)
		return b;
	if (a->otherwise != b->otherwise)
		return a->otherwise ? b : a;
	return b->score > a->score ? b : a;
}

static void count_rule(struct tally *tally, const struct ruling *ruling,
		       const struct policy_rule *rule, uint32_t number)
{
	bool counts = !rule_has_verdict(rule) && is_kept(ruling, rule, number);

	/* Under a refusal there is no score and no inspection; their labels go with them. */
	if (rule_has_verdict(rule) || (counts && !ruling->refuses))
		tally->labels |= rule->labels;
	if (!counts || ruling->refuses)
		return;
	tally->inspect_argv |= rule->inspect_argv;
	if (!rule->is_score)
		return;
	if (rule->filter)
		tally->best[rule->filter] = higher(tally->best[rule->filter], rule);
	else
		tally->own += rule->score;
}

static struct tally count(const struct policy *policy, const struct ruling *ruling, unsigned int op,
			  const uint32_t *rules, size_t n_rules)
{
	struct tally tally = { 0 };

	for (size_t i = 0; i < n_rules; i++)
		if (policy->rules[rules[i]].operations >> op & 1)
			count_rule(&tally, ruling, &policy->rules[rules[i]], rules[i]);
	return tally;
}

static int16_t sum(const struct tally *tally, const struct ruling *ruling)
{
	int32_t score = tally->own + (ruling->risk ? ruling->risk->score : 0);

	for (size_t i = 0; i < N_FILTERS; i++)
		score += tally->best[i] ? tally->best[i]->score : 0;
	return score > INT16_MAX ? INT16_MAX : score < INT16_MIN ? INT16_MIN : score;
}

struct grith_outcome policy_resolve(const struct policy *policy, enum policy_section section,
				    unsigned int op, const uint32_t *rules, size_t n_rules)
{
	struct ruling ruling = rule_on(policy, section, op, rules, n_rules);
	struct tally tally = count(policy, &ruling, op, rules, n_rules);
	struct grith_outcome outcome = {
		.verdict = ruling.verdict,
		.score = sum(&tally, &ruling),
		.labels = tally.labels,
		.flags = tally.inspect_argv ? GRITH_OUTCOME_INSPECT_ARGV : 0,
	};

	if (!ruling.winner)
		return outcome;
	outcome.rule = ruling.number + 1;
	outcome.flags |= ruling.winner->flags;
	return outcome;
}

static int add_part(struct policy_parts *parts, enum filter_id filter, int16_t score,
		    const char *file, unsigned int line, unsigned int column, const char *reason)
{
	if (ARRAY_GROW(parts->all, parts->count) < 0)
		return -ENOMEM;
	parts->all[parts->count++] =
		(struct policy_part) { filter, score, file, line, column, reason };
	return 0;
}

static int add_rule_part(struct policy_parts *parts, const struct policy_rule *rule)
{
	return add_part(parts, rule->filter, rule->score, rule->file, rule->line, rule->column,
			rule->reason);
}

int policy_resolve_parts(const struct policy *policy, enum policy_section section, unsigned int op,
			 const uint32_t *rules, size_t n_rules, struct policy_parts *ret_parts)
{
	struct ruling ruling = rule_on(policy, section, op, rules, n_rules);
	struct tally tally = count(policy, &ruling, op, rules, n_rules);
	CLEANUP(policy_parts_clear) struct policy_parts parts = { 0 };
	const struct policy_risk *risk = ruling.risk;
	int r = 0;

	if (risk)
		r = add_part(&parts, FILTER_OPERATION_RISK, risk->score, risk->file, risk->line,
			     risk->column, NULL);
	for (size_t i = 0; i < N_FILTERS && r == 0; i++)
		if (tally.best[i])
			r = add_rule_part(&parts, tally.best[i]);
	for (size_t i = 0; i < n_rules && r == 0; i++) {
		const struct policy_rule *rule = &policy->rules[rules[i]];

		if (rule->operations >> op & 1 && rule->is_score && !rule->filter &&
		    !ruling.refuses && is_kept(&ruling, rule, rules[i]))
			r = add_rule_part(&parts, rule);
	}
	if (r < 0)
		return r;
	*ret_parts = parts;
	parts.all = NULL;
	return 0;
}

void policy_parts_clear(struct policy_parts *parts)
{
	free(parts->all);
	*parts = (struct policy_parts) { 0 };
}
