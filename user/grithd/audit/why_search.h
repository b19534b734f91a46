/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Looks for one operation in the log, from its end in small steps, and for the review that it was
 * answered by.
 */
#pragma once

#include <jansson.h>

#include "lib/audit/audit.h"

struct why_search;

struct why_question {
	const char *session; /* id; empty: any that `may` lets see */
	int64_t event; /* number of the operation in its session; -1: the newest that was refused */
	unsigned int blocks; /* of the log, of LOG_BLOCK bytes, to look at */
	log_query_may_fn *may; /* NULL: all may be seen */
	void *arg;
};

/* 0 or -errno. */
int why_search_new(const char *log_directory, const struct why_question *question,
		   struct why_search **ret_search);
void why_search_free(struct why_search *search);
DEFINE_CLEANUP(struct why_search, why_search_free)

/* One block: at most some milliseconds. `ret_done`: there is nothing more to look at. -errno. */
int why_search_step(struct why_search *search, bool *ret_done);

/* What was found, borrowed; NULL: nothing. Of the review: the entry with its answer. */
json_t *why_search_event(const struct why_search *search);
json_t *why_search_review(const struct why_search *search);

/* Nothing was found, and there was more of the log than might be looked at. */
bool why_search_is_short(const struct why_search *search);
