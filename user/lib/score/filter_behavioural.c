/* SPDX-License-Identifier: MPL-2.0 */
/* The filter "behavioural": kinds of operations that the session has hardly used so far. */
#include "evaluation.h"

#define NUMBERS(NUMBER)                      \
	NUMBER(SILENT, "silent-operations")  \
	NUMBER(NEVER, "never")               \
	NUMBER(RARE, "rare")                 \
	NUMBER(RARE_PERCENT, "rare-percent") \
	NUMBER(SELDOM, "seldom")             \
	NUMBER(SELDOM_PERCENT, "seldom-percent")
#define LISTS(LIST) LIST(OPERATIONS, "operations", SCORE_WORDS)
FILTER_INDICES(NUMBERS);
FILTER_INDICES(LISTS);

static void evaluate(const struct evaluation *e)
{
	const struct score_session *session = e->session;
	const enum grith_op op = e->operation->op;
	const char *name = op_name(op);
	uint64_t share;

	if (!name || op >= GRITH_OPS || !score_list_has(eval_list(e, OPERATIONS), name) ||
	    session->operations < eval_count(e, SILENT))
		return;
	share = session->counts[op] * 100;
	if (!share)
		eval_add(e, NEVER, "the first %s of this session", name);
	else if (share < session->operations * eval_count(e, RARE_PERCENT))
		eval_add(e, RARE, "%s is rare in this session", name);
	else if (share < session->operations * eval_count(e, SELDOM_PERCENT))
		eval_add(e, SELDOM, "%s is rare in this session", name);
}

FILTER(behavioural, NUMBERS, LISTS, .evaluate = evaluate);
