/* SPDX-License-Identifier: MPL-2.0 */
/* The numbers of the events that pass a filter, in rising order, the latest TOP_EVENTS of them. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "events.h"

/* Starts as {0}. */
struct top_shown {
	uint64_t *numbers; /* entry i at i % TOP_EVENTS; NULL: there was none yet */
	uint64_t first, next; /* entries */
};

/* A number larger than all before. 0 or -ENOMEM. */
int top_shown_add(struct top_shown *shown, uint64_t number);

/* Forgets the numbers below this one. */
void top_shown_trim(struct top_shown *shown, uint64_t number);

size_t top_shown_count(const struct top_shown *shown);
uint64_t top_shown_at(const struct top_shown *shown, size_t row);

/* The row of the number, or else of the next larger one, or else the count. */
size_t top_shown_row(const struct top_shown *shown, uint64_t number);

void top_shown_clear(struct top_shown *shown);
void top_shown_free(struct top_shown *shown);
