/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What all sessions do now, on the full screen or as text: events to model, model to picture. Both
 * return an exit status, after a message where they fail.
 */
#pragma once

#include "lib/base/base.h"

/* `grith top`, until the user quits. `filter` may be NULL. */
int top_screen_run(const char *socket, const char *filter);

/* `grith top -b`: one look after the other, for a file, a pipe or a program. */
struct top_batch {
	const char *socket;
	const char *filter; /* NULL: none */
	uint64_t looks; /* 0: until the output is closed */
	int64_t delay; /* ms before each */
	bool json;
};
int top_batch_run(const struct top_batch *batch);
