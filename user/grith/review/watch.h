/* SPDX-License-Identifier: MPL-2.0 */
/* `grith review --watch`: a line for each new review, and whatever else is to happen with it. */
#pragma once

#include <stdbool.h>

/* All borrowed; what was not asked for is NULL or false. */
struct review_watch {
	const char *socket;
	const char *session;
	const char *command; /* for sh -c, with the review as JSON on its stdin */
	bool notify; /* a notification of the desktop */
	bool bell;
	bool json; /* the line is the review as JSON */
};

/* Until it is interrupted, grithd ends, or nobody reads the output any more. An exit status. */
int review_watch_run(const struct review_watch *watch);
