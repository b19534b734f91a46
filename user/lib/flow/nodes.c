/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The nodes: two trees of tsearch(3) to find them by, since their keys are an agent's to choose and
 * could flood a hash table; and two lists to know which one to forget. Those that have no secret go
 * first.
 */
#include <search.h>

#include "internal.h"

#define FORGET_TRIES 64 /* nodes that are looked at for one without a mark */

char *flow_name(struct record_bytes name)
{
	size_t skip = name.length >= FLOW_NAME_MAX ? name.length - (FLOW_NAME_MAX - 1) : 0;

	return name.length ? strndup(name.data + skip, name.length - skip) : NULL;
}

static int compare_processes(const void *a, const void *b)
{
	const struct flow_process *one = a, *other = b;

	return (one->pid > other->pid) - (one->pid < other->pid);
}

static int compare_objects(const void *a, const void *b)
{
	const struct flow_object *one = a, *other = b;
	struct flow_key k = one->key, l = other->key;

	return (k.number > l.number) - (k.number < l.number)
		       ?: (k.device > l.device) - (k.device < l.device);
}

struct flow_process *flow_process_find(const struct flow *flow, uint32_t pid)
{
	const struct flow_process wanted = { .pid = pid };
	struct flow_process **found = tfind(&wanted, &flow->process_tree, compare_processes);

	return pid && found ? *found : NULL;
}

struct flow_object *flow_object_find(const struct flow *flow, struct flow_key key)
{
	const struct flow_object wanted = { .key = key };
	struct flow_object **found = tfind(&wanted, &flow->object_tree, compare_objects);

	return key.number && found ? *found : NULL;
}

void flow_process_remove(struct flow *flow, struct flow_process *process)
{
	tdelete(process, &flow->process_tree, compare_processes);
	TAILQ_REMOVE(&flow->processes, process, link);
	if (process->spreading)
		TAILQ_REMOVE(&flow->spreading, process, spread);
	flow->n_processes--;
	for (size_t i = 0; i < FLOW_ENDS; i++)
		free(process->ends[i].name);
	free(process->program);
	free(process);
}

void flow_object_remove(struct flow *flow, struct flow_object *object)
{
	tdelete(object, &flow->object_tree, compare_objects);
	TAILQ_REMOVE(&flow->objects, object, link);
	flow->n_objects--;
	free(object->name);
	free(object);
}

/* Not used for longest, and without a mark where one of the first few is. */
static struct flow_process *oldest_process(struct flow *flow)
{
	struct flow_process *process;
	size_t tries = FORGET_TRIES;

	TAILQ_FOREACH(process, &flow->processes, link)
	if (!flow_is_marked(&process->marks))
		return process;
	else if (!tries--)
		break;
	return TAILQ_FIRST(&flow->processes);
}

static struct flow_object *oldest_object(struct flow *flow)
{
	struct flow_object *object;
	size_t tries = FORGET_TRIES;

	TAILQ_FOREACH(object, &flow->objects, link)
	if (!flow_is_marked(&object->marks))
		return object;
	else if (!tries--)
		break;
	return TAILQ_FIRST(&flow->objects);
}

struct flow_process *flow_process_add(struct flow *flow, uint32_t pid, uint32_t ppid, uint64_t now)
{
	struct flow_process *process = flow_process_find(flow, pid);

	if (process || !pid)
		return process;
	if (flow->n_processes >= FLOW_PROCESSES_MAX) {
		flow_process_remove(flow, oldest_process(flow));
		flow->forgot = now;
	}
	process = calloc(1, sizeof(*process));
	if (process) {
		process->pid = pid;
		process->ppid = ppid;
	}
	if (!process || !tsearch(process, &flow->process_tree, compare_processes)) {
		free(process);
		flow->forgot = now;
		return NULL;
	}
	TAILQ_INSERT_TAIL(&flow->processes, process, link);
	flow->n_processes++;
	return process;
}

void flow_process_used(struct flow *flow, struct flow_process *process)
{
	if (!TAILQ_NEXT(process, link))
		return;
	TAILQ_REMOVE(&flow->processes, process, link);
	TAILQ_INSERT_TAIL(&flow->processes, process, link);
}

struct flow_object *flow_object_add(struct flow *flow, struct flow_key key, const char *name,
				    uint64_t now)
{
	struct flow_object *object = flow_object_find(flow, key);

	if (object) {
		TAILQ_REMOVE(&flow->objects, object, link);
		TAILQ_INSERT_TAIL(&flow->objects, object, link);
		return object;
	}
	if (flow->n_objects >= FLOW_OBJECTS_MAX) {
		flow_object_remove(flow, oldest_object(flow));
		flow->forgot = now;
	}
	object = calloc(1, sizeof(*object));
	if (object) {
		object->key = key;
		object->name = flow_name(bytes_of(name));
	}
	if (!object || !tsearch(object, &flow->object_tree, compare_objects)) {
		if (object)
			free(object->name);
		free(object);
		flow->forgot = now;
		return NULL;
	}
	TAILQ_INSERT_TAIL(&flow->objects, object, link);
	flow->n_objects++;
	return object;
}

void flow_nodes_free(struct flow *flow)
{
	while (!TAILQ_EMPTY(&flow->processes))
		flow_process_remove(flow, TAILQ_FIRST(&flow->processes));
	while (!TAILQ_EMPTY(&flow->objects))
		flow_object_remove(flow, TAILQ_FIRST(&flow->objects));
	for (size_t i = 0; i < FLOW_GHOSTS; i++)
		free(flow->ghosts[i].program);
}
