/* SPDX-License-Identifier: MPL-2.0 */
/*
 * One line of the audit log. The structs are views: they own nothing and say what a line is made
 * of; the fields and their order are described in grith-audit(5). Pure.
 */
#pragma once

#include "lib/base/base.h"
#include "lib/flow/flow.h"
#include "lib/record/record.h"
#include "lib/score/score.h"

#define EVENT_VERSION 1

/* What every line has. */
struct event_head {
	uint64_t time; /* nanoseconds since 1970 */
	uint64_t mono; /* nanoseconds of CLOCK_MONOTONIC */
	const char *session; /* NULL: of no session */
};

/* An operation. What is not known is NULL. */
struct event_operation {
	struct event_head head;
	const struct record *record;
	struct record_bytes argv; /* of an exec: all of it, each argument with its NUL */
	const char *rule_file; /* NULL: the policy's default */
	unsigned int rule_line;
	const char *reason;
	const char *program, *parent;
	const char *attach;
	const char *target_session; /* of record->target_session */
	const struct score *score; /* its parts; NULL: the record's sum is all */
	const struct flow_chain *chain; /* how its process came by a secret */
};

/*
 * What became of a hold. "object" is its object as text, any bytes; the strings of an answer are
 * NULL until there is one.
 */
struct event_review {
	const char *state; /* "asked", "allowed", "denied", "expired", "gone" */
	uint32_t review;
	const char *op;
	struct record_bytes object, second;
	const char *rule; /* NULL: the policy's default */
	const char *reason;
	const struct score *score;
	const char *verdict, *scope, *by, *directory;
	uint32_t pid; /* of the process that asked first */
	const char *program;
};

/* X(name, word) */
#define EVENT_CHANGE_TABLE(X)                                                              \
	X(EVENT_START, "start")                                                            \
	X(EVENT_ADOPTED, "adopted") /* a grithd that was started anew found the session */ \
	X(EVENT_FREEZE, "freeze")                                                          \
	X(EVENT_THAW, "thaw")                                                              \
	X(EVENT_KILL, "kill") /* was asked for */                                          \
	X(EVENT_END, "end")
enum event_change { EVENT_CHANGE_TABLE(WORD_ENUM) EVENT_CHANGES };

/* Something that happened to a session as a whole, or to one of its reviews. */
struct event_session {
	struct event_head head;
	const struct event_review *review; /* then nothing else is looked at */
	enum event_change change;
	uint32_t uid; /* of the client; the owner's where there was none */
	const char *reason;

	/* START and ADOPTED */
	const char *name, *user, *profile, *mode, *project, *home;
	const char *const *command;
	size_t n_command;
	const char *const *worktrees; /* linked to the project's repository */
	size_t n_worktrees;
};

/* Entries that are missing. */
struct event_gap {
	struct event_head head;
	uint64_t next; /* no record of its session below it is missing unsaid; 0: not known */
	uint64_t lost; /* how many */
	const char *reason;
};

/* Each adds one line with its newline to `out`. 0 or -ENOMEM; then `out` is as it was. */
int event_add_operation(struct text *out, const struct event_operation *event);
int event_add_session(struct text *out, const struct event_session *event);
int event_add_gap(struct text *out, const struct event_gap *event);

/* A score taken apart: an array of {"filter", "score", "why"}. */
void event_add_parts(struct json_writer *w, const char *name, const struct score *score);

/* "start", "adopted", ... */
const char *event_change_name(enum event_change change);
