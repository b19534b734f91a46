/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The sessions and their processes, from grithd's list and from the events since: how much each one
 * does, and which process is whose child. Bounded; knows no clock.
 */
#pragma once

#include "grith/base/base.h"
#include "lib/event/event.h"
#include "rates.h"

#define TOP_SESSIONS 1024
#define TOP_PROCESSES 8192 /* of all sessions; more are counted for their session only */
#define TOP_LABEL 512 /* bytes of a command line that are kept */
#define TOP_ENDED_SECONDS 10 /* that a session is shown after its last event */

/* What a session or a process did. */
struct top_activity {
	uint64_t operations, refused;
	int64_t seen; /* second of the last event */
	struct top_rates rates;
};

/* Strings are escaped, and "" where they are not known. */
struct top_session {
	char *id, *name, *user, *profile, *mode, *state, *project;
	int64_t started; /* ms since 1970; 0: not known */
	struct top_activity activity;
	uint64_t lost;
	int64_t tainted; /* second in which it was last known to have read a secret; 0: none */
	bool ended;
};

struct top_process {
	uint32_t pid, ppid;
	const struct top_session *session;
	char *label; /* the command line, escaped */
	struct top_activity activity; /* since it is known here */
	bool listed;
};

/* Starts as {0}. */
struct top_sessions {
	struct top_session **list;
	size_t count;
	size_t found; /* where the last one was found */
	struct top_process **processes;
	size_t n_processes;
	void *tree; /* of tsearch(3): processes by pid */
};

/* Takes over an event. 0 or -ENOMEM. */
int top_sessions_event(struct top_sessions *sessions, const struct log_event *event);

/* grithd's list at second `now`: what is not in it any more goes. 0 or -ENOMEM. */
int top_sessions_list(struct top_sessions *sessions, const json_t *list, int64_t now);

/* Its name, else its id. Escaped. */
const char *top_session_name(const struct top_session *session);

/* Whether it is known to have read a secret not long before `second`. */
bool top_session_is_tainted(const struct top_session *session, int64_t second);

/* NULL: not there. */
const struct top_session *top_sessions_find(const struct top_sessions *sessions,
					    struct record_bytes id);

enum top_session_order {
	TOP_BY_RATE,
	TOP_BY_OPERATIONS,
	TOP_BY_REFUSALS,
	TOP_BY_AGE,
	TOP_SESSION_ORDERS
};

/* A session, or one of its processes in the rows below it. */
struct top_session_row {
	const struct top_session *session;
	const struct top_process *process; /* NULL: the session itself */
	struct tree_row tree;
};

/* The caller frees what is returned. 0 or -ENOMEM. */
int top_sessions_rows(const struct top_sessions *sessions, enum top_session_order by, int64_t now,
		      struct top_session_row **ret_rows, size_t *ret_count);

void top_sessions_free(struct top_sessions *sessions);
