/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A question to the audit log: which lines, how many of them, in which order. Answered in small
 * steps over all files of the log, so that a long log does not stop who asks. Nothing is kept for a
 * slow reader, and nothing comes twice.
 */
#pragma once

#include "lib/event/event.h"

struct log_query;

/* Whether lines of this session (empty: of none) may be given. */
typedef bool log_query_may_fn(void *arg, const char *session);

struct log_question {
	struct log_filter filter;
	int64_t last; /* at most so many, the newest ones; less than 0: all */
	bool reverse; /* the newest one first; then there is no following */
	bool follow; /* go on with what is written later; `last` counts what is there already */
	log_query_may_fn *may; /* NULL: all may be */
	void *arg;
};

/*
 * Takes over `directory`, the log's, and the question's filter (leaving {0}) in any case. 0 or
 * -errno.
 */
int log_query_new(int directory, struct log_question *question, struct log_query **ret_query);
void log_query_free(struct log_query *query);
DEFINE_CLEANUP(struct log_query, log_query_free)

enum log_step {
	LOG_MORE, /* take the lines that there are, then step again */
	LOG_WAIT, /* all was read; step again when the log has grown */
	LOG_END,
};

/* Reads a block of the log, at most some milliseconds. 0 or -errno. */
int log_query_step(struct log_query *query, enum log_step *ret_step);

/*
 * The next line of that block that is wanted, without its newline; valid until the next step.
 * false: there is none, step again. All of them must be taken before the next step.
 */
bool log_query_line(struct log_query *query, const char **ret_line, size_t *ret_length);

/* Places that could not be read so far, or lines that are none: `grith audit verify` names them. */
uint64_t log_query_damaged(const struct log_query *query);
