/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Points in time and spans of it, as people read and write them.
 */
#pragma once

#include <time.h>

#include "lib/base/base.h"

/* The time of the clock, in ms. */
int64_t clock_ms(clockid_t clock);

/* UTC as in the log, "2026-01-02T03:04:05.123456789Z": ms since 1970. -EINVAL where it is not. */
int moment_parse(const char *text, int64_t *ret_ms);

/* In the local time zone, "01-02 03:04:05.123". */
int moment_add(struct text *out, int64_t ms);

/* The last second that was added, since times come in order. Starts as {0}. */
struct moment_memory {
	bool known;
	int64_t second;
	char text[16];
};

/* moment_add() for many times, one after the other. */
int moment_add_again(struct text *out, int64_t ms, struct moment_memory *memory);

/* How long, to its largest unit: "12s", "5m", "3h", "2d". */
int moment_add_span(struct text *out, int64_t ms);

/*
 * A span of whole seconds, minutes, hours, days or weeks, "90", "90s", "10m", "2h", "7d", "1w", in
 * seconds. -EINVAL, or -ERANGE beyond ten years.
 */
int moment_parse_span(const char *text, uint64_t *ret_seconds);

/*
 * When: a span before `now` as above, or a point in the local time zone, "2026-01-02",
 * "2026-01-02 03:04", "2026-01-02T03:04:05", in UTC with a "Z" behind it. Both in nanoseconds since
 * 1970. -EINVAL or -ERANGE.
 */
int moment_parse_point(const char *text, uint64_t now, uint64_t *ret_time);
