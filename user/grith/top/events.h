/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The latest events, so many and so many bytes of them: what comes in pushes out the oldest. An
 * event is known by its number, which counts all that ever came. Adding one copies it and allocates
 * nothing.
 */
#pragma once

#include "lib/base/base.h"
#include "lib/event/event.h"

#define TOP_EVENTS 65536 /* a power of two */
#define TOP_EVENT_BYTES (16u << 20) /* of their texts, together */
#define TOP_EVENT_TEXT 8192 /* of one text; grith log has all of it */

struct top_events;

/* NULL: no memory. */
struct top_events *top_events_new(void);
void top_events_free(struct top_events *events);
DEFINE_CLEANUP(struct top_events, top_events_free)

/* The texts are copied. Returns the number. */
uint64_t top_events_add(struct top_events *events, const struct log_event *event);

/* The numbers that are there: from the first up to, without it, the next one. */
uint64_t top_events_first(const struct top_events *events);
uint64_t top_events_next(const struct top_events *events);

/* One that is there; valid until the next one is added. */
const struct log_event *top_events_get(const struct top_events *events, uint64_t number);
