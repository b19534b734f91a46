/* SPDX-License-Identifier: MPL-2.0 */
/* The filter "capability": a kind of operation that the session's profile does not grant. */
#include "evaluation.h"

#define NUMBERS(NUMBER) NUMBER(MISSING, "missing")
#define LISTS(LIST) LIST(NAMES, "names", SCORE_WORDS)
FILTER_INDICES(NUMBERS);
FILTER_INDICES(LISTS);

/* NULL: needs none. */
static const char *needed(const struct score_operation *o)
{
	const struct op *op = op_info(o->op);

	if (op->object != OP_ON_SOCKET || !o->path.length) /* not a unix socket */
		return op->grant;
	return op_is_egress(o->op) ? "unix:connect" : NULL;
}

static void evaluate(const struct evaluation *e)
{
	const struct score_operation *o = e->operation;
	const char *name = needed(o);

	if (!o->grants || !name || !score_list_has(eval_list(e, NAMES), name))
		return;
	for (size_t i = 0; i < o->n_grants; i++)
		if (!strcmp(o->grants[i], name))
			return;
	eval_add(e, MISSING, "the profile does not grant %s", name);
}

FILTER(capability, NUMBERS, LISTS, .evaluate = evaluate);
