/* SPDX-License-Identifier: MPL-2.0 */
/*
 * One reader of the audit log: a place in the file, moved on in small steps, so that a long log
 * does not stop grithd. Those who follow read the file too, behind those who write it: nothing is
 * kept for a slow one, and nothing comes twice.
 */
#ifndef GRITHD_LOG_READER_H
#define GRITHD_LOG_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "log_filter.h"
#include "text.h"

struct log_reader;

/* Whether the reader may see lines of this session (empty: of none). */
typedef bool log_reader_may_fn(void *arg, const char *session);

struct log_request {
	struct log_filter filter;
	int64_t last; /* -1: from the start, or from filter.since */
	bool follow;
	log_reader_may_fn *may;
	void *arg;
};

/* Takes over `fd` and the filter (leaving {0}), in any case. */
int log_reader_new(int fd, struct log_request *request, struct log_reader **ret_reader);
void log_reader_free(struct log_reader *reader);
DEFINE_CLEANUP(struct log_reader, log_reader_free)

enum log_step {
	LOG_MORE, /* step again */
	LOG_WAIT, /* all was read; step again when the log has grown */
	LOG_END,
};

/* One step; adds whole protocol lines to `out`. 0 or -errno. */
int log_reader_step(struct log_reader *reader, struct text *out, enum log_step *ret_step);

#endif
