/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What strace(1) wrote with -f, as the events of an audit log: line by line, in whatever form its
 * options gave it. One event for each system call that is an operation, with how it ended in
 * `error`; the verdict is left to the caller. What a call did to names that the log does not have
 * is not known: links are not followed, and a directory that was changed is followed only where
 * the log has chdir(2). Any bytes are a log: what cannot be read is counted. Pure.
 */
#pragma once

#include "lib/event/event.h"
#include "limits.h"

struct strace_options {
	const char *cwd; /* where the first process is; absolute. NULL: not known */
};

struct strace_name {
	char name[STRACE_NAME_MAX + 1];
	uint64_t count;
};

/* What a reader of the events must know. Borrowed from the log. */
struct strace_notes {
	uint64_t lines;
	uint64_t events;
	uint64_t unreadable; /* lines that are nothing of strace's */
	uint64_t dropped; /* unfinished calls, processes and texts beyond a limit */
	uint64_t guessed; /* paths relative to a directory that the log does not name */
	uint64_t truncated; /* paths that strace cut */
	bool has_times; /* lines have their time */
	bool has_dates; /* and its day */
	bool has_forks; /* clone(2) and its like are in it */
	bool has_chdir;
	bool annotated; /* descriptors have their paths: strace -y */
	const char *first_cwd; /* annotated before anybody moved; NULL: not known */
	const struct strace_name
		*unknown; /* calls that are not known, those met first come first */
	size_t n_unknown;
	uint64_t unknown_beyond; /* calls not known, beyond STRACE_NAMES_MAX different ones */
};

struct strace_log;

/* The event's texts are valid during the call only. Other than 0 ends the reading. */
typedef int strace_event_fn(void *arg, struct log_event *event);

/* 0 or -ENOMEM. The options' texts are copied. */
int strace_log_new(const struct strace_options *options, strace_event_fn *on_event, void *arg,
		   struct strace_log **ret_log);
void strace_log_free(struct strace_log *log);
DEFINE_CLEANUP(struct strace_log, strace_log_free)

/* Takes in one line, without its newline. 0, -ENOMEM, or what `on_event` returned. */
int strace_log_line(struct strace_log *log, const char *line, size_t length);

/* Valid until the next line. */
struct strace_notes strace_log_notes(const struct strace_log *log);
