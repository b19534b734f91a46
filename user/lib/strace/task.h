/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The processes and threads of a strace log, as far as it tells of them: what they run, where they
 * are, what their descriptors are called, and the calls that they have not finished. For this room
 * only.
 */
#pragma once

#include "lib/base/base.h"
#include "lib/record/record.h"
#include "limits.h"

struct strace_task {
	uint32_t tid;
	uint32_t process; /* its thread group, where the log has it; else tid */
	uint32_t parent; /* 0: not known */
	/* Of a thread they are its process's. NULL: not known. */
	char *program;
	char *cwd;
	bool moved; /* cwd is from the log, not from the caller */
	char **fds; /* paths */
	size_t n_fds;

	char unfinished[STRACE_NAME_MAX + 1]; /* the call; "": none */
	struct text pending; /* its arguments so far */
	bool makes_thread; /* it is a fork, and of a thread */
};

/* Starts as {0}. */
struct strace_tasks {
	void *root; /* of tsearch(3) */
	size_t count;
	size_t pending_bytes;
	size_t name_bytes; /* of programs, directories and descriptors */
	size_t forking; /* tasks with an unfinished fork */
};

struct strace_task *strace_task_find(const struct strace_tasks *tasks, uint32_t tid);

/* The one with this number, made where there is none. NULL: beyond the limit, or no memory. */
struct strace_task *strace_task_get(struct strace_tasks *tasks, uint32_t tid);

/* The only one; NULL: there are none or several. */
struct strace_task *strace_task_only(const struct strace_tasks *tasks);

/* The one of its thread group that has the program, the directory and the descriptors. */
struct strace_task *strace_task_process(const struct strace_tasks *tasks, struct strace_task *task);

/* The log has its maker. */
void strace_task_made(struct strace_tasks *tasks, struct strace_task *task,
		      struct strace_task *maker, bool is_thread);

void strace_task_remove(struct strace_tasks *tasks, struct strace_task *task);

/* The first task has no number until there is a second one. */
void strace_task_renumber(struct strace_tasks *tasks, struct strace_task *task, uint32_t tid);

/* Keeps a call until the rest of it comes. false: it could not be kept. */
bool strace_task_leave(struct strace_tasks *tasks, struct strace_task *task,
		       struct record_bytes name, struct record_bytes rest);
void strace_task_finish(struct strace_tasks *tasks, struct strace_task *task);

/* Beyond a limit, or without memory, it is not known afterwards. */
void strace_task_set(struct strace_tasks *tasks, char **text, const char *data, size_t length);
void strace_task_set_fd(struct strace_tasks *tasks, struct strace_task *task, int fd,
			const char *path, size_t length);
const char *strace_task_fd(const struct strace_task *task, int fd); /* NULL: not known */

void strace_tasks_free(struct strace_tasks *tasks);
