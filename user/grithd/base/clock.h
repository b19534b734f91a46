/* SPDX-License-Identifier: MPL-2.0 */
/* The time now, in nanoseconds. */
#pragma once

#include "lib/event/event.h"

uint64_t clock_mono(void); /* CLOCK_MONOTONIC: for durations */
uint64_t clock_real(void); /* since 1970 */

/* Both, for an event that has no record. */
struct event_head event_now(const char *session);
