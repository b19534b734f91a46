/* SPDX-License-Identifier: MPL-2.0 */
/*
 * From lines to calls: what was left unfinished is joined with what is resumed, for each task, and
 * each line gets its time and its task.
 */
#include "internal.h"

#define SECOND UINT64_C(1000000000)
#define DAY (24 * 3600 * SECOND)
#define LAST (INT64_MAX - 2 * DAY) /* times that are added up end there */
#define STEP 1000 /* nanoseconds from line to line where there is no time */

int strace_log_new(const struct strace_options *options, strace_event_fn *on_event, void *arg,
		   struct strace_log **ret_log)
{
	CLEANUP(strace_log_freep) struct strace_log *log = calloc(1, sizeof(*log));

	if (!log)
		return -ENOMEM;
	log->on_event = on_event;
	log->arg = arg;
	log->now = SECOND; /* 0 is never */
	log->cwd = options->cwd ? strdup(options->cwd) : NULL;
	if (options->cwd && !log->cwd)
		return -ENOMEM;
	*ret_log = TAKE_PTR(log);
	return 0;
}

void strace_log_free(struct strace_log *log)
{
	if (!log)
		return;
	free(log->cwd);
	free(log->first_cwd);
	strace_tasks_free(&log->tasks);
	text_free(&log->path);
	text_free(&log->second);
	text_free(&log->argv);
	text_free(&log->joined);
	text_free(&log->bare);
	free(log);
}

static void set_process(const struct strace_context *c, struct log_event *event)
{
	const struct strace_task *process = c->process, *parent;
	const char *slash;

	parent = process->parent ? strace_task_find(&c->log->tasks, process->parent) : NULL;
	event->pid = process->tid;
	event->tid = c->task->tid;
	event->ppid = process->parent;
	event->program = bytes_of(process->program);
	event->parent = bytes_of(parent ? parent->program : NULL);
	slash = process->program ? strrchr(process->program, '/') : NULL;
	event->comm = bytes_of(slash ? slash + 1 : process->program);
	if (event->comm.length > 15) /* as the kernel cuts it: TASK_COMM_LEN */
		event->comm.length = 15;
}

int strace_emit(const struct strace_context *c, struct log_event *event)
{
	event->time = event->mono = c->log->now;
	event->sequence = c->log->notes.events++;
	if (c->call)
		event->error = c->call->error;
	set_process(c, event);
	return c->log->on_event(c->log->arg, event);
}

static void count_unknown(struct strace_log *log, struct record_bytes name)
{
	struct strace_name *known = log->unknown;
	size_t n = log->notes.n_unknown;

	if (name.length > STRACE_NAME_MAX)
		name.length = STRACE_NAME_MAX;
	for (size_t i = 0; i < n; i++)
		if (bytes_are(name, known[i].name)) {
			known[i].count++;
			return;
		}
	if (n == STRACE_NAMES_MAX) {
		log->notes.unknown_beyond++;
		return;
	}
	memcpy(known[n].name, name.data, name.length);
	known[n].count = 1;
	log->notes.n_unknown++;
}

static int take_call(struct strace_log *log, struct strace_task *task, struct record_bytes name,
		     struct record_bytes rest)
{
	struct strace_call call;
	struct strace_context c = { log, task, strace_task_process(&log->tasks, task), &call };
	int r = strace_call_parse(name, rest, &call);

	if (r < 0) {
		log->notes.unreadable++;
		return 0;
	}
	r = strace_take_call(&c);
	if (r != -ENOTSUP)
		return r;
	count_unknown(log, name);
	return 0;
}

static int resume(struct strace_log *log, struct strace_task *task, const struct strace_line *line)
{
	OWNED_TEXT struct text whole = { 0 };
	char name[STRACE_NAME_MAX + 1];
	size_t length = strlen(task->unfinished);

	/* The log began in the middle of the call. */
	if (!length || !bytes_are(line->name, task->unfinished)) {
		log->notes.unreadable++;
		return 0;
	}
	memcpy(name, task->unfinished, length + 1);
	if (text_add(&whole, task->pending.data ? task->pending.data : "", task->pending.length) <
		    0 ||
	    text_add(&whole, line->rest.data, line->rest.length) < 0)
		return -ENOMEM;
	strace_task_finish(&log->tasks, task);
	return take_call(log, task, (struct record_bytes) { name, length }, strace_bytes(&whole));
}

static int end_task(struct strace_log *log, struct strace_task *task, int status)
{
	struct strace_context c = { log, task, task, NULL };
	struct log_event event = { .kind = LOG_EXIT, .op = GRITH_OP_EXIT, .status = status };
	int r = 0;

	if (task->process == task->tid) /* threads end without notice */
		r = strace_emit(&c, &event);
	strace_task_remove(&log->tasks, task);
	return r;
}

/* A thread's exec ends all others, and the thread goes on with the process's number. */
static int supersede(struct strace_log *log, struct strace_task *task,
		     const struct strace_line *line)
{
	struct strace_task *thread = strace_task_find(&log->tasks, line->other);
	char name[STRACE_NAME_MAX + 1];

	if (!thread || thread == task || !thread->unfinished[0])
		return 0;
	memcpy(name, thread->unfinished, sizeof(name));
	if (!strace_task_leave(&log->tasks, task, bytes_of(name), strace_bytes(&thread->pending)))
		log->notes.dropped++;
	strace_task_remove(&log->tasks, thread);
	return 0;
}

/* The message of an attached task broke a call in two; the next line has the second half. */
static int cut(struct strace_log *log, struct strace_task *task, const struct strace_line *line)
{
	if (!strace_task_leave(&log->tasks, task, line->name, line->rest))
		log->notes.dropped++;
	log->is_cut = true;
	log->cut_task = task->tid;
	if (!strace_task_get(&log->tasks, line->other))
		log->notes.dropped++;
	return 0;
}

static int join_cut(struct strace_log *log, const char *data, size_t length)
{
	struct strace_task *task = strace_task_find(&log->tasks, log->cut_task);
	struct strace_line rest = { .rest = { data, length } };

	log->is_cut = false;
	if (!task)
		return 0;
	rest.name = bytes_of(task->unfinished);
	return resume(log, task, &rest);
}

/* The task of a line; strace names it only where there are several. */
static struct strace_task *task_of(struct strace_log *log, const struct strace_line *line)
{
	struct strace_tasks *tasks = &log->tasks;
	struct strace_task *task = NULL, *first;

	if (!line->tid)
		task = strace_task_only(tasks);
	else
		task = strace_task_find(tasks, line->tid);
	if (task)
		return task;
	first = line->bracketed ? strace_task_find(tasks, 0) : NULL;
	if (first) {
		strace_task_renumber(tasks, first, line->tid);
		return strace_task_find(tasks, line->tid);
	}
	task = strace_task_get(tasks, line->tid);
	if (!task)
		log->notes.dropped++;
	return task;
}

static void set_time(struct strace_log *log, const struct strace_line *line)
{
	if (line->clock != STRACE_NO_CLOCK)
		log->notes.has_times = true;
	switch (line->clock) {
	case STRACE_SINCE_1970:
		log->notes.has_dates = true;
		log->now = line->time;
		break;
	case STRACE_OF_DAY:
		if (line->time + DAY / 2 < log->of_day) /* midnight has passed */
			log->days += log->days < LAST ? DAY : 0;
		log->of_day = line->time;
		log->now = SECOND + log->days + log->of_day;
		break;
	case STRACE_SINCE_LAST:
		if (line->time < DAY && log->now < LAST)
			log->now += line->time;
		break;
	default:
		log->now += STEP;
	}
}

static int take_line(struct strace_log *log, struct strace_task *task,
		     const struct strace_line *line)
{
	switch (line->kind) {
	case STRACE_CALL:
		return take_call(log, task, line->name, line->rest);
	case STRACE_UNFINISHED:
		if (!strace_task_leave(&log->tasks, task, line->name, line->rest))
			log->notes.dropped++;
		return 0;
	case STRACE_RESUMED:
		return resume(log, task, line);
	case STRACE_CUT:
		return cut(log, task, line);
	case STRACE_SUPERSEDED:
		return supersede(log, task, line);
	case STRACE_ENDED:
		return end_task(log, task, line->status);
	default:
		return 0;
	}
}

int strace_log_line(struct strace_log *log, const char *data, size_t length)
{
	struct strace_line line = strace_line_parse(data, length);
	struct strace_task *task;

	log->notes.lines++;
	if (line.kind == STRACE_OTHER && log->is_cut)
		return join_cut(log, data, length);
	if (line.kind == STRACE_OTHER) {
		log->notes.unreadable += length > 0;
		return 0;
	}
	set_time(log, &line);
	if (line.kind == STRACE_ASIDE)
		return 0;
	if (line.kind == STRACE_ATTACHED) {
		if (!strace_task_get(&log->tasks, line.other))
			log->notes.dropped++;
		return 0;
	}
	task = task_of(log, &line);
	return task ? take_line(log, task, &line) : 0;
}

struct strace_notes strace_log_notes(const struct strace_log *log)
{
	struct strace_notes notes = log->notes;

	notes.unknown = log->unknown;
	notes.first_cwd = log->first_cwd;
	return notes;
}
