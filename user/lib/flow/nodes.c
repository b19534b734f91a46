/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The nodes: two trees to find them by, and two lists to know which one to forget. Those that have
 * no secret go first.
 */
#include <search.h>
#include <string.h>

#include "internal.h"

#define FORGET_TRIES 64 /* nodes that are looked at for one without a mark */

char *flow_name(const char *name, size_t length)
{
	size_t skip = length >= FLOW_NAME_MAX ? length - (FLOW_NAME_MAX - 1) : 0;

	return name && length ? strndup(name + skip, length - skip) : NULL;
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_processes(const void *a, const void *b)
{
	const struct flow_process *one = a, *other = b;

	return compare(one->pid, other->pid);
}

static int compare_objects(const void *a, const void *b)
{
	const struct flow_object *one = a, *other = b;
	int r = compare(one->key.number, other->key.number);

	return r ? r : compare(one->key.device, other->key.device);
}

static void *find(void *const *tree, const void *wanted, int (*order)(const void *, const void *))
{
	void *const *found = tfind(wanted, tree, order);

	return found ? *found : NULL;
}

struct flow_process *flow_process_find(const struct flow *flow, uint32_t pid)
{
	const struct flow_process wanted = { .pid = pid };

	return pid ? find(&flow->process_tree, &wanted, compare_processes) : NULL;
}

struct flow_object *flow_object_find(const struct flow *flow, struct flow_key key)
{
	const struct flow_object wanted = { .key = key };

	return key.number ? find(&flow->object_tree, &wanted, compare_objects) : NULL;
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

static void forget_process(struct flow *flow, uint64_t now)
{
	struct flow_process *process = TAILQ_FIRST(&flow->processes);

	for (size_t i = 0; i < FORGET_TRIES && process && flow_is_marked(&process->marks); i++)
		process = TAILQ_NEXT(process, link);
	if (!process || flow_is_marked(&process->marks))
		process = TAILQ_FIRST(&flow->processes);
	flow_process_remove(flow, process);
	flow->forgot = now;
}

static void forget_object(struct flow *flow, uint64_t now)
{
	struct flow_object *object = TAILQ_FIRST(&flow->objects);

	for (size_t i = 0; i < FORGET_TRIES && object && flow_is_marked(&object->marks); i++)
		object = TAILQ_NEXT(object, link);
	if (!object || flow_is_marked(&object->marks))
		object = TAILQ_FIRST(&flow->objects);
	flow_object_remove(flow, object);
	flow->forgot = now;
}

struct flow_process *flow_process_add(struct flow *flow, uint32_t pid, uint32_t ppid, uint64_t now)
{
	struct flow_process *process = flow_process_find(flow, pid);

	if (process || !pid)
		return process;
	if (flow->n_processes >= FLOW_PROCESSES_MAX)
		forget_process(flow, now);
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
	if (flow->n_objects >= FLOW_OBJECTS_MAX)
		forget_object(flow, now);
	object = calloc(1, sizeof(*object));
	if (object) {
		object->key = key;
		object->name = flow_name(name, name ? strlen(name) : 0);
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
