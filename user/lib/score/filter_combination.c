/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Rules over filters: what several of them, or what was read and what is done now, mean together.
 * Sees the parts that are there already, so it comes behind them.
 */
#include <string.h>

#include "internal.h"

enum { DEPENDENCY_READ = 0, ENV_THEN_REQUEST, ODD_BAD_HOST, ODD_TAINTED };
enum { PACKAGE_MANAGERS = 0, DEPENDENCY_TREES };

static const char *const numbers[] = {
	[DEPENDENCY_READ] = "dependency-read",
	[ENV_THEN_REQUEST] = "env-then-request",
	[ODD_BAD_HOST] = "odd-egress-bad-host",
	[ODD_TAINTED] = "odd-egress-tainted",
};
static const struct score_list_kind lists[] = {
	[PACKAGE_MANAGERS] = { "package-managers", SCORE_WORDS },
	[DEPENDENCY_TREES] = { "dependency-trees", SCORE_WORDS },
};

static int points(const struct judged *judged, size_t number)
{
	return score_number(judged->weights, FILTER_COMBINATION, number);
}

/* Whether a package manager reads what it installed. */
static bool is_dependency_read(const struct judged *judged)
{
	const struct score_operation *o = judged->operation;
	const struct score_list *trees =
		score_list(judged->weights, FILTER_COMBINATION, DEPENDENCY_TREES);

	if (o->op != GRITH_OP_READ || !o->program ||
	    !score_list_has(score_list(judged->weights, FILTER_COMBINATION, PACKAGE_MANAGERS),
			    place_name(o->program)))
		return false;
	for (size_t i = 0; i < trees->count; i++)
		if (place_has_part(o->path.data, o->path.length, trees->items[i].text))
			return true;
	return false;
}

/* Whether something may be sent to others: not this machine, not what the policy always allows. */
static bool is_request(const struct judged *judged)
{
	const struct score_operation *o = judged->operation;

	if (judged_is_net(judged))
		return !o->trusted && !score_is_local(judged->weights, o);
	for (size_t i = 0; i < judged->n_sections; i++) {
		const struct score_section *section = &judged->sections[i];

		if (section->kind == SECTION_HOST &&
		    !score_is_local_name(judged->weights, judged->text + section->from,
					 section->to - section->from - 1))
			return true;
	}
	return false;
}

/* What the rules come to; unlike the results of one filter, they are added up. */
struct sum {
	int points;
	const char *why[3];
	size_t n_why;
};

static void add(struct sum *sum, int more, const char *why)
{
	sum->points += more;
	if (sum->n_why < ARRAY_SIZE(sum->why))
		sum->why[sum->n_why++] = why;
}

static void judge_read(const struct judged *judged, struct sum *sum)
{
	/* There is nothing to take off from what is allowed anyway. */
	if (judged->operation->static_score > 0 && is_dependency_read(judged))
		add(sum, points(judged, DEPENDENCY_READ),
		    "a package manager reads what it installed");
}

static void judge_egress(const struct judged *judged, const struct score *score, struct sum *sum)
{
	size_t lifetime = score_count(judged->weights, FILTER_TAINT, TAINT_LIFETIME);
	int encoded = score_number(judged->weights, FILTER_EGRESS_POLICY, EGRESS_ENCODED);
	bool odd = score_points(score, FILTER_EGRESS_POLICY) >= encoded;

	if (score_is_recent(judged->session->env_read, judged->operation->time, lifetime) &&
	    is_request(judged))
		add(sum, points(judged, ENV_THEN_REQUEST),
		    "a .env file was read, and now a request");
	if (odd && score_points(score, FILTER_REPUTATION) > 0)
		add(sum, points(judged, ODD_BAD_HOST), "odd data for a doubtful host");
	if (odd && score_is_tainted(judged))
		add(sum, points(judged, ODD_TAINTED), "odd data after a secret was read");
}

/* ssh connects after reading its own key: held, but not denied for what it is there for. */
static bool is_own_connect(const struct judged *judged, const struct score *score)
{
	size_t lifetime = score_count(judged->weights, FILTER_TAINT, TAINT_LIFETIME);

	return judged_is_net(judged) && score_is_ssh(judged->operation) &&
	       !score_is_recent(judged->session->high_by_others, judged->operation->time,
				lifetime) &&
	       !score_points(score, FILTER_SECRET_SCAN) && !score_points(score, FILTER_CANARY);
}

static void judge(const struct judged *judged, struct score *score)
{
	struct sum sum = { 0 };

	judge_read(judged, &sum);
	judge_egress(judged, score, &sum);
	if (score->total + sum.points > SCORE_DENY_DEFAULT && is_own_connect(judged, score)) {
		sum.points = 0;
		sum.n_why = 0;
		add(&sum, SCORE_DENY_DEFAULT - score->total,
		    "ssh connects after reading its own key");
	}
	if (sum.n_why)
		score_add(score, FILTER_COMBINATION, sum.points, "%s%s%s%s%s", sum.why[0],
			  sum.n_why > 1 ? "; " : "", sum.n_why > 1 ? sum.why[1] : "",
			  sum.n_why > 2 ? "; " : "", sum.n_why > 2 ? sum.why[2] : "");
}

const struct filter filter_combination = {
	.numbers = numbers,
	.n_numbers = ARRAY_SIZE(numbers),
	.lists = lists,
	.n_lists = ARRAY_SIZE(lists),
	.judge = judge,
};
