/* SPDX-License-Identifier: MPL-2.0 */
/* What the parts of the reader of strace's logs share. */
#pragma once

#include "line.h"
#include "strace.h"
#include "task.h"
#include "text.h"

struct strace_log {
	strace_event_fn *on_event;
	void *arg;
	char *cwd, *first_cwd;
	struct strace_tasks tasks;
	struct strace_notes notes;
	struct strace_name unknown[STRACE_NAMES_MAX];
	bool is_cut; /* the last call was broken in two by a message */
	uint32_t cut_task;

	uint64_t now; /* of the last line, nanoseconds */
	uint64_t of_day, days; /* where lines have the time of day alone */

	/* the event's texts */
	struct text path, second, argv, joined, bare;
	char address[ADDRESS_TEXT_SIZE];
};

/* A call that returned, on its way to an event. */
struct strace_context {
	struct strace_log *log;
	struct strace_task *task; /* that made it */
	struct strace_task *process; /* whose program and descriptors count */
	const struct strace_call *call;
};

/*
 * call.c: gives the caller what a call was. 0, -ENOMEM, or what the caller returned; -ENOTSUP for
 * a call that is not known.
 */
int strace_take_call(const struct strace_context *c);

/* net.c: the same for those with an address. `arg` is the one that has it. */
int strace_take_address(const struct strace_context *c, enum grith_op op, size_t arg);

/* strace.c: gives the event, with what all events have, to the caller. */
int strace_emit(const struct strace_context *c, struct log_event *event);

/*
 * path.c: the absolute path of an argument, into `out`, which is emptied before. `at`: the argument
 * before it is the directory's descriptor. Adds to *flags GRITH_RECORD_UNKNOWN where it is not
 * whole. 1; 0 where it is no path; or -ENOMEM.
 */
int strace_path(const struct strace_context *c, bool at, size_t arg, struct text *out,
		unsigned int *flags);

/* The same of an open descriptor. */
int strace_fd_path(const struct strace_context *c, size_t arg, struct text *out,
		   unsigned int *flags);

/* Where the process is from now on. */
void strace_set_cwd(const struct strace_context *c, const struct text *path);

static inline struct record_bytes strace_bytes(const struct text *text)
{
	return (struct record_bytes) { text->data, text->length };
}
