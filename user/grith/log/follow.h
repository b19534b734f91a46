/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The events of a source, one after the other, for as long as there are more and somebody reads
 * what becomes of them.
 */
#pragma once

#include "source.h"

/* Waits until `in` has input: 1; 0: `out` has lost its reader; -errno. */
int wait_for_input(int in, int out);

/* One event, borrowed. A negative errno ends the stream. */
typedef int follow_event_fn(void *arg, const struct log_event *event);

/*
 * Passes on each event up to the end, as it comes. `idle` is called before each wait for more. 0 at
 * the end, and where nobody reads `out` any more; else the first negative errno of the callbacks
 * or, for log_source_explain(), of the source.
 */
int follow(struct log_source *source, int out, follow_event_fn *event, int (*idle)(void *arg),
	   void *arg);
