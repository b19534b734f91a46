/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The options of `grith log`, and the request to grithd or the query of files that they make.
 */
#pragma once

#include <jansson.h>

#include "lib/audit/audit.h"

enum log_format { LOG_AS_TEXT = 0, LOG_AS_JSON, LOG_AS_CSV, LOG_AS_OCSF, LOG_FORMATS };

struct log_options {
	const char *session; /* id or name; files know only ids */
	struct log_filter filter; /* without the session; its strings are owned */
	int64_t last; /* -1: all */
	bool reverse, follow;
	enum log_format format;
	const char *log_dir; /* NULL: grithd is asked */
	const char *socket;
};

/*
 * `now` is in nanoseconds since 1970. 0, or -EINVAL after a message, or -ENOMEM. log_options_free()
 * in any case.
 */
int log_options_read(int argc, char **argv, uint64_t now, struct log_options *options);
void log_options_free(struct log_options *options);

#define OWNED_LOG_OPTIONS CLEANUP(log_options_free)

/* The request to grithd, the caller's; NULL: no memory. */
json_t *log_options_request(const struct log_options *options);

/* The question to files, which takes over the filter. */
void log_options_question(struct log_options *options, struct log_question *ret_question);
