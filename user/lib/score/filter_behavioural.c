/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The filter "behavioural": kinds of operations that the session has hardly used so far.
 */
#include "lib/base/base.h"
#include "internal.h"

enum { SILENT = 0, NEVER, RARE, RARE_PERCENT, SELDOM, SELDOM_PERCENT };
enum { OPERATIONS = 0 };

static const char *const numbers[] = {
	[SILENT] = "silent-operations",	 [NEVER] = "never",   [RARE] = "rare",
	[RARE_PERCENT] = "rare-percent", [SELDOM] = "seldom", [SELDOM_PERCENT] = "seldom-percent",
};
static const struct score_list_kind lists[] = { [OPERATIONS] = { "operations", SCORE_WORDS } };

static void add(const struct judged *judged, struct score *score, size_t number)
{
	score_add(score, FILTER_BEHAVIOURAL,
		  score_number(judged->weights, FILTER_BEHAVIOURAL, number),
		  number == NEVER ? "the first %s of this session" : "%s is rare in this session",
		  op_name(judged->operation->op));
}

static void judge(const struct judged *judged, struct score *score)
{
	const struct score_session *session = judged->session;
	const enum grith_op op = judged->operation->op;
	const char *name = op_name(op);
	uint64_t count;

	if (!name || op >= GRITH_OPS ||
	    !score_list_has(score_list(judged->weights, FILTER_BEHAVIOURAL, OPERATIONS), name) ||
	    session->operations < score_count(judged->weights, FILTER_BEHAVIOURAL, SILENT))
		return;
	count = session->counts[op];
	if (!count)
		add(judged, score, NEVER);
	else if (count * 100 < session->operations * score_count(judged->weights,
								 FILTER_BEHAVIOURAL, RARE_PERCENT))
		add(judged, score, RARE);
	else if (count * 100 <
		 session->operations *
			 score_count(judged->weights, FILTER_BEHAVIOURAL, SELDOM_PERCENT))
		add(judged, score, SELDOM);
}

const struct filter filter_behavioural = {
	.numbers = numbers,
	.n_numbers = ARRAY_SIZE(numbers),
	.lists = lists,
	.n_lists = ARRAY_SIZE(lists),
	.judge = judge,
};
