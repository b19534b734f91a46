/* SPDX-License-Identifier: MPL-2.0 */
/* The numbers of the events that pass a filter, in rising order, the latest TOP_EVENTS of them. */
#pragma once

#include "events.h"

/* Starts as {0}. */
struct top_matches {
	uint64_t *numbers; /* entry i at i % TOP_EVENTS; NULL: there was none yet */
	uint64_t first, next; /* entries */
};

/* A number larger than all before. 0 or -ENOMEM. */
int top_matches_add(struct top_matches *matches, uint64_t number);

/* Forgets the numbers below this one. */
void top_matches_trim(struct top_matches *matches, uint64_t number);

size_t top_matches_count(const struct top_matches *matches);
uint64_t top_matches_at(const struct top_matches *matches, size_t row);

/* The row of the number, or else of the next larger one, or else the count. */
size_t top_matches_row(const struct top_matches *matches, uint64_t number);

void top_matches_clear(struct top_matches *matches);
void top_matches_free(struct top_matches *matches);
