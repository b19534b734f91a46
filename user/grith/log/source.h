/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Where the verbs that look at the log have it from: grithd, which selects what the asker may see,
 * or for root the files of a directory. Gives events one by one.
 */
#pragma once

#include <sys/types.h>

#include <jansson.h>

#include "lib/audit/audit.h"
#include "lib/base/base.h"
#include "lib/event/event.h"

struct log_source;

/*
 * What grithd selects for `request` ("do": "log", see lib/proto/proto.h), from the socket at
 * `path`; `trusted` as in channel_open(). 0, or -errno and in `error` what to print.
 */
int log_source_ask(const char *path, uid_t trusted, json_t *request, struct text *error,
		   struct log_source **ret_source);

/* What the question asks for; it is not followed. Takes over the question's filter in any case. */
int log_source_question(const char *directory, struct log_question *question, struct text *error,
			struct log_source **ret_source);

void log_source_free(struct log_source *source);
DEFINE_CLEANUP(struct log_source, log_source_free)

/*
 * The next event, valid until the next call. Lines that cannot be read are passed over and counted.
 * 1; 0 at the end; -EAGAIN where there is none now: wait
 * for log_source_fd() to be readable; -errno, explained by log_source_explain().
 */
int log_source_next(struct log_source *source, const struct log_event **ret_event);

/* The line that the last event was read from, without its newline. */
struct record_bytes log_source_line(const struct log_source *source);

/* To wait for; -1: there is no waiting. */
int log_source_fd(const struct log_source *source);

/* Entries that grithd could not give, so far. */
uint64_t log_source_lost(const struct log_source *source);

/* Damages of the log that were passed over so far; 'grith audit verify' names them. */
uint64_t log_source_damaged(const struct log_source *source);

/* Whether grithd had no entry more when it sent what came last. */
bool log_source_is_current(const struct log_source *source);

void log_source_explain(const struct log_source *source, int r, struct text *error);

/*
 * Waits until `in` has input: 1; 0: `out` has lost its reader, which would otherwise be noticed
 * with the next entry only; -errno.
 */
int wait_for_input(int in, int out);

/* One event, borrowed. A negative errno ends the stream. */
typedef int follow_event_fn(void *arg, const struct log_event *event);

/*
 * Passes on each event up to the end, as it comes. `idle` is called before each wait for more. 0 at
 * the end, and where `out` was closed; else the first negative errno of the callbacks
 * or, for log_source_explain(), of the source.
 */
int follow(struct log_source *source, int out, follow_event_fn *event, int (*idle)(void *arg),
	   void *arg);
