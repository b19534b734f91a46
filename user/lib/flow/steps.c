/* SPDX-License-Identifier: MPL-2.0 */
/* The ring of steps, and the chains that are read from it. */
#include <string.h>

#include "internal.h"

#define DEPTH_MAX 256 /* steps that a chain is followed back */

uint64_t flow_step_add(struct flow *flow, uint64_t before, const struct flow_step *step)
{
	uint64_t number = ++flow->n_steps;
	struct flow_stored *stored = &flow->steps[number % FLOW_STEPS_MAX];
	const char *program = step->program, *object = step->object;
	/* Either may be a name of the step that is overwritten. */
	char *program_copy = flow_name(program, program ? strlen(program) : 0);
	char *object_copy = flow_name(object, object ? strlen(object) : 0);

	free((char *)stored->step.program);
	free((char *)stored->step.object);
	*stored = (struct flow_stored) { .number = number, .before = before, .step = *step };
	stored->step.program = program_copy;
	stored->step.object = object_copy;
	return number;
}

static const struct flow_stored *stored_of(const struct flow *flow, uint64_t number)
{
	const struct flow_stored *stored = &flow->steps[number % FLOW_STEPS_MAX];

	return number && stored->number == number ? stored : NULL;
}

/* The last steps to the end of the array, the source's own at its beginning. */
void flow_chain_make(const struct flow *flow, enum grith_source source,
		     const struct flow_mark *mark, struct flow_chain *ret_chain)
{
	const struct flow_stored *back[FLOW_CHAIN_MAX], *first = NULL;
	uint64_t number = mark->step;
	size_t depth = 0, kept;

	for (; number && depth < DEPTH_MAX; depth++) {
		const struct flow_stored *stored = stored_of(flow, number);

		if (!stored)
			break;
		if (depth < FLOW_CHAIN_MAX)
			back[depth] = stored;
		first = stored;
		number = stored->before;
	}
	kept = depth < FLOW_CHAIN_MAX ? depth : FLOW_CHAIN_MAX;
	*ret_chain = (struct flow_chain) {
		.source = source,
		.since = mark->time,
		.direct = mark->direct,
		.forgotten = number != 0,
		.omitted = depth > FLOW_CHAIN_MAX,
		.n_steps = kept,
	};
	for (size_t i = 0; i < kept; i++)
		ret_chain->steps[i] = back[kept - 1 - i]->step;
	if (ret_chain->omitted)
		ret_chain->steps[0] = first->step;
}

void flow_steps_free(struct flow *flow)
{
	for (size_t i = 0; i < FLOW_STEPS_MAX; i++) {
		free((char *)flow->steps[i].step.program);
		free((char *)flow->steps[i].step.object);
	}
}
