/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A log without clone(2) does not say which task made a new one. Its maker is one of those there
 * are, so where all of them run the same program, the new one does as well.
 *
 * Tasks are in a balanced tree, tsearch(3): their numbers are from a log that anybody may have
 * written, and no choice of them makes it slow.
 */
#include <search.h>

#include "task.h"
#include "text.h"

#define KIN_MAX 64 /* tasks that are looked at for that */

static int compare(const void *a, const void *b)
{
	const struct strace_task *x = a, *y = b;

	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

struct strace_task *strace_task_find(const struct strace_tasks *tasks, uint32_t tid)
{
	const struct strace_task key = { .tid = tid };
	struct strace_task *const *node = tfind(&key, &tasks->root, compare);

	return node ? *node : NULL;
}

/* A name, which tasks have as the text in it. Those that inherit it have the same one. */
struct name {
	size_t users;
	char text[];
};

static struct name *name_of(char *text)
{
	return (struct name *)(text - offsetof(struct name, text));
}

static char *share(char *text)
{
	if (text)
		name_of(text)->users++;
	return text;
}

static void drop(struct strace_tasks *tasks, char *text)
{
	if (!text || --name_of(text)->users)
		return;
	tasks->name_bytes -= sizeof(struct name) + strlen(text);
	free(name_of(text));
}

static char *make_name(struct strace_tasks *tasks, const char *data, size_t length)
{
	struct name *name;

	length = strnlen(data, length);
	if (length >= GRITH_PATH_MAX ||
	    tasks->name_bytes + sizeof(*name) + length > STRACE_NAME_BYTES)
		return NULL;
	name = malloc(sizeof(*name) + length + 1);
	if (!name)
		return NULL;
	name->users = 1;
	memcpy(name->text, data, length);
	name->text[length] = '\0';
	tasks->name_bytes += sizeof(*name) + length;
	return name->text;
}

void strace_task_set(struct strace_tasks *tasks, char **text, const char *data, size_t length)
{
	char *name = data ? make_name(tasks, data, length) : NULL;

	drop(tasks, *text);
	*text = name;
}

static void free_process(struct strace_tasks *tasks, struct strace_task *task)
{
	strace_task_set(tasks, &task->program, NULL, 0);
	strace_task_set(tasks, &task->cwd, NULL, 0);
	for (size_t i = 0; i < task->n_fds; i++)
		strace_task_set(tasks, &task->fds[i], NULL, 0);
	tasks->name_bytes -= task->n_fds * sizeof(*task->fds);
	free(task->fds);
	task->fds = NULL;
	task->n_fds = 0;
}

static void inherit_name(char **text, char *from)
{
	if (!*text)
		*text = share(from);
}

/* What a walk over all tasks finds. */
struct kin {
	const struct strace_task *self;
	struct strace_task *forking, *any;
	char *program;
	bool differ; /* there is another program than `program`, or one that is not known */
};

static bool is_fork(struct record_bytes name)
{
	static const char *const names[] = { "clone", "clone3", "fork", "vfork" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (bytes_are(name, names[i]))
			return true;
	return false;
}

static void look(const void *node, VISIT which, void *arg)
{
	struct strace_task *task = *(struct strace_task *const *)node;
	struct kin *kin = arg;

	if ((which != postorder && which != leaf) || task == kin->self)
		return;
	kin->any = task;
	if (is_fork(bytes_of(task->unfinished)))
		kin->forking = task;
	if (task->process != task->tid)
		return;
	if (!task->program || (kin->program && strcmp(kin->program, task->program) != 0))
		kin->differ = true;
	kin->program = task->program;
}

/* Of a task whose maker the log does not have. */
static void guess_maker(struct strace_tasks *tasks, struct strace_task *task)
{
	struct kin kin = { .self = task };

	if (tasks->count > KIN_MAX)
		return;
	twalk_r(tasks->root, look, &kin);
	if (tasks->forking == 1 && kin.forking)
		strace_task_made(tasks, task, kin.forking, kin.forking->makes_thread);
	else if (kin.program && !kin.differ)
		inherit_name(&task->program, kin.program);
}

struct strace_task *strace_task_get(struct strace_tasks *tasks, uint32_t tid)
{
	struct strace_task *task = strace_task_find(tasks, tid);

	if (task || tasks->count >= STRACE_TASKS_MAX)
		return task;
	task = calloc(1, sizeof(*task));
	if (!task)
		return NULL;
	task->tid = task->process = tid;
	if (!tsearch(task, &tasks->root, compare)) {
		free(task);
		return NULL;
	}
	tasks->count++;
	guess_maker(tasks, task);
	return task;
}

struct strace_task *strace_task_only(const struct strace_tasks *tasks)
{
	struct kin kin = { 0 };

	if (tasks->count == 1)
		twalk_r(tasks->root, look, &kin);
	return kin.any;
}

struct strace_task *strace_task_process(const struct strace_tasks *tasks, struct strace_task *task)
{
	struct strace_task *process = NULL;

	if (task->process != task->tid)
		process = strace_task_find(tasks, task->process);
	return process ? process : task;
}

/* Room for so many descriptors. */
static bool make_fds(struct strace_tasks *tasks, struct strace_task *task, size_t n)
{
	size_t more;
	char **larger;

	if (n <= task->n_fds)
		return true;
	more = (n - task->n_fds) * sizeof(*larger);
	if (tasks->name_bytes + more > STRACE_NAME_BYTES)
		return false;
	larger = reallocarray(task->fds, n, sizeof(*larger));
	if (!larger)
		return false;
	memset(larger + task->n_fds, 0, more);
	tasks->name_bytes += more;
	task->fds = larger;
	task->n_fds = n;
	return true;
}

static void inherit(struct strace_tasks *tasks, struct strace_task *task,
		    const struct strace_task *from)
{
	inherit_name(&task->program, from->program);
	task->moved |= !task->cwd && from->moved;
	inherit_name(&task->cwd, from->cwd);
	if (!make_fds(tasks, task, from->n_fds))
		return;
	for (size_t i = 0; i < from->n_fds; i++)
		inherit_name(&task->fds[i], from->fds[i]);
}

void strace_task_made(struct strace_tasks *tasks, struct strace_task *task,
		      struct strace_task *maker, bool is_thread)
{
	struct strace_task *from = strace_task_process(tasks, maker);

	if (task == maker || task->parent)
		return;
	if (is_thread) {
		task->process = from->tid;
		task->parent = from->parent;
		free_process(tasks, task);
		return;
	}
	task->parent = from->tid;
	inherit(tasks, task, from);
}

void strace_task_finish(struct strace_tasks *tasks, struct strace_task *task)
{
	if (is_fork(bytes_of(task->unfinished)))
		tasks->forking--;
	task->unfinished[0] = '\0';
	tasks->pending_bytes -= task->pending.length;
	text_free(&task->pending);
}

bool strace_task_leave(struct strace_tasks *tasks, struct strace_task *task,
		       struct record_bytes name, struct record_bytes rest)
{
	if (task->unfinished[0])
		strace_task_finish(tasks, task);
	if (name.length > STRACE_NAME_MAX ||
	    tasks->pending_bytes + rest.length > STRACE_PENDING_BYTES ||
	    text_add(&task->pending, rest.data, rest.length) < 0)
		return false;
	tasks->pending_bytes += rest.length;
	memcpy(task->unfinished, name.data, name.length);
	task->unfinished[name.length] = '\0';
	tasks->forking += is_fork(name);
	/* Once for all that may be made by it: there is no end to what it is said to make. */
	task->makes_thread = is_fork(name) && strace_find(rest, "CLONE_THREAD") < rest.length;
	return true;
}

static void free_task(struct strace_tasks *tasks, struct strace_task *task)
{
	strace_task_finish(tasks, task);
	free_process(tasks, task);
	tasks->count--;
	free(task);
}

void strace_task_remove(struct strace_tasks *tasks, struct strace_task *task)
{
	tdelete(task, &tasks->root, compare);
	free_task(tasks, task);
}

void strace_task_renumber(struct strace_tasks *tasks, struct strace_task *task, uint32_t tid)
{
	tdelete(task, &tasks->root, compare);
	if (task->process == task->tid)
		task->process = tid;
	task->tid = tid;
	if (!tsearch(task, &tasks->root, compare))
		free_task(tasks, task);
}

void strace_task_set_fd(struct strace_tasks *tasks, struct strace_task *task, int fd,
			const char *path, size_t length)
{
	if (fd >= 0 && fd < STRACE_FD_MAX && make_fds(tasks, task, (size_t)fd + 1))
		strace_task_set(tasks, &task->fds[fd], path, length);
}

const char *strace_task_fd(const struct strace_task *task, int fd)
{
	return fd >= 0 && (size_t)fd < task->n_fds ? task->fds[fd] : NULL;
}

void strace_tasks_free(struct strace_tasks *tasks)
{
	while (tasks->root)
		strace_task_remove(tasks, *(struct strace_task **)tasks->root);
}
