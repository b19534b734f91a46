/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Which lines of the audit log a reader wants: one filter for grithd and for readers of the files.
 * Pure.
 */
#pragma once

#include "lib/base/base.h"
#include "read.h"

/* The first fields of a line, found without parsing all of it. */
struct log_head {
	char time[JSON_TIME_SIZE];
	uint64_t sequence; /* LOG_NO_NUMBER: not a record */
	char session[SESSION_ID_LENGTH + 1]; /* empty: of no session */
	bool is_start; /* of the session */
	bool is_gap;
	uint64_t next, lost; /* of a gap, as in struct event_gap */
};

/* false: the line was not written by grithd. */
bool log_head_parse(const char *line, size_t length, struct log_head *ret_head);

/* NULL, false and empty are not asked for. Strings are owned. Starts as {0}. */
struct log_filter {
	char session[SESSION_ID_LENGTH + 1];
	char since[JSON_TIME_SIZE]; /* this time and later */
	char until[JSON_TIME_SIZE]; /* before this time */
	enum grith_op op; /* GRITH_OP_NONE: any */
	bool by_verdict, by_score;
	enum grith_verdict verdict;
	int score; /* at least so much, hundredths; what has no verdict has no score */
	bool refused; /* a verdict, and not allow */
	char *program, *path, *rule; /* patterns */
};

/*
 * Whether a line is wanted; it is read with `reader` where its start does not tell. A line that
 * cannot be read is no match of what asks for more than the start has.
 */
bool log_filter_matches(const struct log_filter *filter, struct log_event_reader *reader,
			const struct log_head *head, const char *line, size_t length);

/* The same for an event that was read, but for its session and time. */
bool log_filter_matches_event(const struct log_filter *filter, const struct log_event *event);

void log_filter_free(struct log_filter *filter);

#define OWNED_LOG_FILTER CLEANUP(log_filter_free)

/*
 * `*` is any number of any bytes, `?` one byte, a backslash takes away the meaning of what follows.
 * Takes at most pattern times text steps, whatever the pattern.
 */
bool log_pattern_matches(const char *pattern, struct record_bytes text);
