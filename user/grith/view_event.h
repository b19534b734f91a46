/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A line of the log for people. Pure.
 */
#ifndef GRITH_VIEW_EVENT_H
#define GRITH_VIEW_EVENT_H

#include <jansson.h>

#include "term.h"

/*
 * Adds one event, as one line: when, in which session, which program, what came of it, what it did
 * to what, and why. Events of kinds and with fields that are not known are shown as far as they
 * are. 0 or -ENOMEM.
 */
int view_event(const json_t *event, const struct term *term, struct text *out);

#endif
