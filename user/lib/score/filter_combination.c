/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Rules over filters: what several of them, or what was read and what is done now, mean together.
 * Sees the parts that are there already, so it comes behind them.
 */
#include "egress.h"
#include "evaluation.h"

#define NUMBERS(NUMBER)                              \
	NUMBER(DEPENDENCY_READ, "dependency-read")   \
	NUMBER(ENV_THEN_REQUEST, "env-then-request") \
	NUMBER(ODD_BAD_HOST, "odd-egress-bad-host")  \
	NUMBER(ODD_TAINTED, "odd-egress-tainted")
#define LISTS(LIST)                                             \
	LIST(PACKAGE_MANAGERS, "package-managers", SCORE_WORDS) \
	LIST(DEPENDENCY_TREES, "dependency-trees", SCORE_WORDS)
FILTER_INDICES(NUMBERS);
FILTER_INDICES(LISTS);

/* Whether a package manager reads what it installed. */
static bool is_dependency_read(const struct evaluation *e)
{
	const struct score_operation *o = e->operation;
	const struct score_list *trees = eval_list(e, DEPENDENCY_TREES);

	if (o->op != GRITH_OP_READ || !o->program ||
	    !score_list_has(eval_list(e, PACKAGE_MANAGERS), place_name(o->program)))
		return false;
	for (size_t i = 0; i < trees->count; i++)
		if (place_has_part(o->path.data, o->path.length, trees->items[i].text))
			return true;
	return false;
}

/* Whether something may be sent to others: not this machine, not what the policy always allows. */
static bool is_request(const struct evaluation *e)
{
	const struct score_operation *o = e->operation;

	if (eval_is_net(e))
		return !o->trusted && !egress_is_local(e->weights, o);
	for (size_t i = 0; i < e->n_sections; i++) {
		const struct score_section *section = &e->sections[i];

		if (section->kind == SECTION_HOST &&
		    !egress_is_local_name(e->weights, e->text + section->from,
					  section->to - section->from - 1))
			return true;
	}
	return false;
}

/* The sum of the matching rules: unlike the results of one filter, these are added up. */
struct sum {
	int points;
	const char *why[3];
	size_t n_why;
};

static void add(const struct evaluation *e, struct sum *sum, size_t number, const char *why)
{
	sum->points += eval_number(e, number);
	if (sum->n_why < ARRAY_SIZE(sum->why))
		sum->why[sum->n_why++] = why;
}

static void evaluate_read(const struct evaluation *e, struct sum *sum)
{
	/* There is nothing to take off from what is allowed anyway. */
	if (e->operation->static_score > 0 && is_dependency_read(e))
		add(e, sum, DEPENDENCY_READ, "a package manager reads what it installed");
}

static void evaluate_egress(const struct evaluation *e, struct sum *sum)
{
	bool odd = score_points(e->score, FILTER_EGRESS_POLICY) >= score_encoded_points(e->weights);

	if (score_is_recent(e->session->env_read, e->operation->time,
			    score_taint_lifetime(e->weights)) &&
	    is_request(e))
		add(e, sum, ENV_THEN_REQUEST, "a .env file was read, and now a request");
	if (odd && score_points(e->score, FILTER_REPUTATION) > 0)
		add(e, sum, ODD_BAD_HOST, "odd data for a doubtful host");
	if (odd && eval_is_tainted(e))
		add(e, sum, ODD_TAINTED, "odd data after a secret was read");
}

/* ssh connects after reading its own key: held, but not denied for what it is there for. */
static bool is_own_connect(const struct evaluation *e)
{
	return eval_is_net(e) && score_is_ssh(e->operation) &&
	       !score_is_recent(e->session->high_by_others, e->operation->time,
				score_taint_lifetime(e->weights)) &&
	       !score_points(e->score, FILTER_SECRET_SCAN) &&
	       !score_points(e->score, FILTER_CANARY);
}

static void evaluate(const struct evaluation *e)
{
	struct score *score = e->score;
	struct sum sum = { 0 };

	evaluate_read(e, &sum);
	evaluate_egress(e, &sum);
	if (score->total + sum.points > SCORE_DENY_DEFAULT && is_own_connect(e))
		sum = (struct sum) { .points = SCORE_DENY_DEFAULT - score->total,
				     .why = { "ssh connects after reading its own key" },
				     .n_why = 1 };
	if (sum.n_why)
		score_add(score, FILTER_COMBINATION, sum.points, "%s%s%s%s%s", sum.why[0],
			  sum.n_why > 1 ? "; " : "", sum.n_why > 1 ? sum.why[1] : "",
			  sum.n_why > 2 ? "; " : "", sum.n_why > 2 ? sum.why[2] : "");
}

FILTER(combination, NUMBERS, LISTS, .evaluate = evaluate, .on_records = true);
