/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A line of the log for people. Pure.
 */
#pragma once

#include "grith/base/base.h"
#include "lib/event/event.h"

/*
 * Adds one event, as one line: when, in which session, which program, what came of it, what it did
 * to what, and why. Events of kinds that are not known are shown as far as they are. `memory`
 * starts as {0} and is for many events one after the other. 0 or -ENOMEM.
 */
int view_event(const struct log_event *event, const struct term *term, struct moment_memory *memory,
	       struct text *out);
