/* SPDX-License-Identifier: MPL-2.0 */
/* Programs that are started for a review: a desktop notification, or a command of the user's. */
#pragma once

#include <jansson.h>

#include "lib/base/base.h"

#define NOTICE_RUNNING 16 /* programs at once */

/* Starts as {0}. */
struct notice {
	unsigned int running;
};

/* notify-send(1), with what waits. 0, or a negative errno where it cannot be run. */
int notice_desktop(struct notice *notice, const json_t *review);

/* sh -c COMMAND, with the review as a line of JSON on its standard input. */
int notice_command(struct notice *notice, const char *command, const json_t *review);

/*
 * The text of a notification: the heading, and the body, escaped for the markup that it may have,
 * and cut. 0 or -ENOMEM.
 */
int notice_texts(const json_t *review, struct text *heading, struct text *body);
