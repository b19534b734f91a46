/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The filter of events, as a line that a person types:
 *
 *   session=blue program=node op=write verdict=deny path=/etc/x* rule=base.yaml:* score=3 refused
 *
 * All that is given must apply. A word without '=' is a part of the object. Patterns are those of
 * `grith log`: * stands for any bytes, slashes too, ? for one. Pure.
 */
#pragma once

#include "lib/event/event.h"

#define TOP_FILTER_WORDS 8 /* parts of the object */

/* Starts as {0}, which lets everything pass. Strings are owned. */
struct top_filter {
	struct log_filter log; /* but for session and time */
	char *session; /* pattern of its name or id */
	char *words[TOP_FILTER_WORDS];
	size_t n_words;
};

/* 0, or -EINVAL and what is wrong in `why`, or -ENOMEM. */
int top_filter_parse(const char *text, struct top_filter *ret_filter, struct text *why);

/* `session_name` may be empty. */
bool top_filter_matches(const struct top_filter *filter, const struct log_event *event,
			const char *session_name);

void top_filter_free(struct top_filter *filter);

#define OWNED_TOP_FILTER CLEANUP(top_filter_free)
