/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Operations that are held for an answer, and why something was decided: as a list, as lines, on
 * the full screen.
 */
#pragma once

#include "model.h"
#include "request.h"
#include "stream.h"
#include "view.h"

/*
 * `grith review` on the full screen, until the user quits. `session` may be NULL. Both of these
 * return an exit status, after a message where they fail.
 */
int review_screen_run(const char *socket, const char *session);

/* `grith review --watch`. All borrowed; options that were not given are NULL or false. */
struct review_watch {
	const char *socket;
	const char *session;
	const char *command; /* for sh -c, with the review as JSON on its stdin */
	bool notify; /* a notification of the desktop */
	bool bell;
	bool json; /* the line is the review as JSON */
};

/* A line for each new review, until it is interrupted, grithd ends or the output is closed. */
int review_watch_run(const struct review_watch *watch);
