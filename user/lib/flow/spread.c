/* SPDX-License-Identifier: MPL-2.0 */
/*
 * How marks get from one node to the next. What has new marks goes into a list that is worked off,
 * so that a long pipeline needs no stack.
 */
#include "internal.h"

/* A source that is read all the time is not followed through everything each time. */
#define RENEW_NS (60 * UINT64_C(1000000000))

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
		const struct flow_step step = {
			.time = time,
			.how = FLOW_READ,
			.pid = process->pid,
			.program = process->program,
			.object = object->name,
		};

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
	const struct flow_step step = {
		.time = time,
		.how = FLOW_WROTE,
		.pid = process->pid,
		.program = process->program,
		.object = object->name,
	};

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

/* Its maker reads from it, since nobody else does. */
static void add_unread(struct flow *flow, const struct flow_process *process,
		       struct flow_object *object, uint64_t now, struct flow_marks *marks)
{
	const struct flow_step step = {
		.time = now,
		.how = FLOW_READ,
		.pid = process->pid,
		.program = process->program,
		.object = object->name,
	};

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
