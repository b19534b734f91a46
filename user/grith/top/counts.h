/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What there was most of, in bounded memory, by the algorithm "Space-Saving" (Metwally, Agrawal, El
 * Abbadi: Efficient Computation of Frequent and Top-k Elements in Data Streams, ICDT 2005): a new
 * key replaces the one with the smallest count, and takes that over. A count is never too small,
 * and too large by `error` at the most; whatever came more than total / TOP_COUNTS times is there.
 */
#pragma once

#include "lib/record/record.h"

#define TOP_COUNTS 1024
#define TOP_COUNT_KEY 4200 /* bytes of a key; what is beyond makes no difference */

struct top_count {
	char *key;
	size_t length;
	uint64_t count, error;
	uint64_t refused; /* of those that were counted since the key came in */
	size_t index; /* in the heap */
};

/* Starts as {0}. */
struct top_counts {
	struct top_count *heap[TOP_COUNTS]; /* the smallest count first */
	size_t count;
	void *tree; /* of tsearch(3), by key */
};

/* 0 or -ENOMEM. */
int top_counts_add(struct top_counts *counts, struct record_bytes key, bool refused);

enum top_count_order { TOP_BY_COUNT, TOP_BY_REFUSED, TOP_BY_KEY, TOP_COUNT_ORDERS };

/* All of them in that order, counts->count; `ret_rows` has room for them. */
void top_counts_rows(const struct top_counts *counts, enum top_count_order order,
		     const struct top_count **ret_rows);

void top_counts_free(struct top_counts *counts);
