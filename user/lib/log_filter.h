/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Which lines of the audit log somebody wants to see. Pure.
 */
#ifndef GRITH_LOG_FILTER_H
#define GRITH_LOG_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "json_write.h"
#include "session_id.h"

/* What stands at the start of each line, found without reading all of it. */
struct log_head {
	char time[JSON_TIME_SIZE];
	uint64_t sequence; /* UINT64_MAX: not a record */
	char session[SESSION_ID_LENGTH + 1]; /* empty: of no session */
	bool is_start; /* of the session */
};

/* false: the line was not written by grithd. */
bool log_head_parse(const char *line, size_t length, struct log_head *ret_head);

/* NULL, false and empty are not asked for. Strings are owned. */
struct log_filter {
	char *op, *verdict;
	char *program, *path; /* patterns */
	bool refused;
	char since[JSON_TIME_SIZE];
	char session[SESSION_ID_LENGTH + 1];
};

bool log_filter_matches(const struct log_filter *filter, const struct log_head *head,
			const char *line, size_t length);
void log_filter_free(struct log_filter *filter);

/*
 * `*` is any number of any bytes, `?` one byte, a backslash takes away the meaning of what follows.
 * Takes at most pattern times text steps, whatever the pattern.
 */
bool log_pattern_matches(const char *pattern, const char *text);

#endif
