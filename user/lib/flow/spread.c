/* SPDX-License-Identifier: MPL-2.0 */
/*
 * How marks get from one node to the next, and the ring of steps that chains are made of. What has
 * new marks goes into a list that is worked off, so that a long pipeline needs no stack.
 */
#include "internal.h"

#define DEPTH_MAX 256 /* steps that a chain is followed back */

/* A source that is read all the time is not followed through everything each time. */
#define RENEW_NS (60 * UINT64_C(1000000000))

uint64_t flow_step_add(struct flow *flow, uint64_t before, const struct flow_step *step)
{
	uint64_t number = ++flow->n_steps;
	struct flow_stored *stored = &flow->steps[number % FLOW_STEPS_MAX];
	/* Either may be a name of the step that is overwritten. */
	char *program_copy = flow_name(bytes_of(step->program));
	char *object_copy = flow_name(bytes_of(step->object));

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

static bool is_better(const struct flow_mark *mark, const struct flow_mark *than)
{
	return mark->time && (!than->time || mark->time > than->time + RENEW_NS ||
			      (mark->direct && !than->direct));
}

/*
 * Puts marks that come from `from` by this step on those of a node. A mark changes where it was not
 * there, is a minute older, or was not direct; true where one did.
 */
static bool take_marks(struct flow *flow, struct flow_marks *marks, const struct flow_marks *from,
		       const struct flow_step *step)
{
	bool is_direct =
		step->how != FLOW_STARTED && step->how != FLOW_LEFT && step->how != FLOW_RETURNED;
	bool changed = false;

	for (size_t i = 0; i < GRITH_SOURCES; i++) {
		struct flow_mark new = from->of[i], *old = &marks->of[i];

		new.direct = new.direct &&is_direct;
		if (!is_better(&new, old))
			continue;
		changed = true;
		if (old->time > new.time)
			new.time = old->time;
		if (old->direct && !new.direct) { /* what is known better stays, and is renewed */
			old->time = new.time;
			continue;
		}
		new.step = flow_step_add(flow, new.step, step);
		*old = new;
	}
	flow->marked = flow->marked || changed;
	return changed;
}

static void take_process(struct flow *flow, struct flow_process *process,
			 const struct flow_marks *from, const struct flow_step *step)
{
	if (!take_marks(flow, &process->marks, from, step) || process->spreading)
		return;
	process->spreading = true;
	TAILQ_INSERT_TAIL(&flow->spreading, process, spread);
}

static void spread_readers(struct flow *flow, const struct flow_object *object, uint64_t time)
{
	struct flow_process *process;

	TAILQ_FOREACH(process, &flow->processes, link)
	for (size_t i = 0; i < FLOW_ENDS; i++) {
		const struct flow_end *end = &process->ends[i];
		const struct flow_step step = flow_step_by(process, FLOW_READ, object->name, time);

		if (end->reads && flow_key_same(end->key, object->key))
			take_process(flow, process, &object->marks, &step);
	}
}

static void take_object(struct flow *flow, struct flow_object *object,
			const struct flow_marks *from, const struct flow_step *step)
{
	if (!take_marks(flow, &object->marks, from, step))
		return;
	for (size_t i = 0; i < GRITH_SOURCES; i++)
		object->taken[i] = 0;
	spread_readers(flow, object, step->time);
}

static void spread_into(struct flow *flow, const struct flow_process *process,
			struct flow_object *object, uint64_t time)
{
	const struct flow_step step = flow_step_by(process, FLOW_WROTE, object->name, time);

	take_object(flow, object, &process->marks, &step);
}

static void spread_process(struct flow *flow, const struct flow_process *process, uint64_t time)
{
	struct flow_object *object;

	for (size_t i = 0; i < FLOW_ENDS; i++) {
		const struct flow_end *end = &process->ends[i];

		if (!end->writes || !end->key.number)
			continue;
		object = flow_object_add(flow, end->key, end->name, time);
		if (object)
			spread_into(flow, process, object, time);
	}
	if (!process->makes)
		return;
	/* What it feeds a program that it has started. */
	TAILQ_FOREACH(object, &flow->objects, link)
	if (object->maker == process->pid && !object->writers)
		spread_into(flow, process, object, time);
}

static void spread_all(struct flow *flow, uint64_t time)
{
	while (!TAILQ_EMPTY(&flow->spreading)) {
		struct flow_process *process = TAILQ_FIRST(&flow->spreading);

		TAILQ_REMOVE(&flow->spreading, process, spread);
		process->spreading = false;
		spread_process(flow, process, time);
	}
}

void flow_process_take(struct flow *flow, struct flow_process *process,
		       const struct flow_marks *from, const struct flow_step *step)
{
	take_process(flow, process, from, step);
	spread_all(flow, step->time);
}

void flow_process_spread(struct flow *flow, const struct flow_process *process, uint64_t time)
{
	if (flow_is_marked(&process->marks))
		spread_process(flow, process, time);
	spread_all(flow, time);
}

void flow_object_take(struct flow *flow, struct flow_object *object, const struct flow_marks *from,
		      const struct flow_step *step)
{
	take_object(flow, object, from, step);
	spread_all(flow, step->time);
}

/* Its maker reads from it, since no process was started with it as input. */
static void add_unread(struct flow *flow, const struct flow_process *process,
		       struct flow_object *object, uint64_t now, struct flow_marks *marks)
{
	const struct flow_step step = flow_step_by(process, FLOW_READ, object->name, now);

	for (size_t i = 0; i < GRITH_SOURCES; i++) {
		struct flow_mark mark = object->marks.of[i];

		if (!is_better(&mark, &marks->of[i]))
			continue;
		if (!object->taken[i])
			object->taken[i] = flow_step_add(flow, mark.step, &step);
		mark.step = object->taken[i];
		marks->of[i] = mark;
	}
}

struct flow_marks flow_process_marks(struct flow *flow, const struct flow_process *process,
				     uint64_t now)
{
	struct flow_marks marks = process->marks;
	struct flow_object *object;

	if (!process->makes || !flow->marked)
		return marks;
	TAILQ_FOREACH(object, &flow->objects, link)
	if (object->maker == process->pid && !object->readers)
		add_unread(flow, process, object, now, &marks);
	return marks;
}
