/* SPDX-License-Identifier: MPL-2.0 */
/*
 * How many of something there were in each of the last seconds. A second is one of the log's clock:
 * what is read late counts for when it was.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define TOP_SECONDS 64 /* a power of two */
#define TOP_RATE_SECONDS 3 /* whole ones that a rate is the mean of */

/* Starts as {0}. */
struct top_rates {
	int64_t newest; /* second since 1970 that there is a count for */
	uint32_t counts[TOP_SECONDS]; /* of second s at s % TOP_SECONDS */
};

void top_rates_add(struct top_rates *rates, int64_t second);

/* How many in that second; 0 for what is not known any more, or not yet. */
uint32_t top_rates_at(const struct top_rates *rates, int64_t second);

/* A second's mean over the last whole seconds before `now`, in tenths. */
uint32_t top_rates_tenths(const struct top_rates *rates, int64_t now);
