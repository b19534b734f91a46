/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Counts of things by a key of numbers: the rows of a table of the report, while it grows.
 */
#pragma once

#include "lib/base/base.h"

#define TALLY_MAX (1u << 17) /* different keys of one tally */

/* Names mostly; what each is, the table's file says. No padding: keys are compared as bytes. */
struct tally_key {
	uint32_t a, b, c;
	uint16_t d, e;
};

#define TALLY_COUNTS 7

struct tally_entry {
	uint64_t first; /* time of the first event, or 0 */
	uint64_t n[TALLY_COUNTS];
};

/* Starts as {0}. Entry i is of key i. */
struct tally {
	struct intern keys;
	struct tally_entry *entries;
	size_t size; /* entries that there is room for */
	struct tally_entry spare; /* counts what is beyond the limit, together */
	uint64_t beyond; /* how many events that were */
};

/*
 * The entry of the key, which may be new; valid until the next call. `ret_number` may be NULL, and
 * is UINT32_MAX for the spare entry. 0 or -ENOMEM.
 */
int tally_at(struct tally *tally, const struct tally_key *key, uint64_t time,
	     struct tally_entry **ret_entry, uint32_t *ret_number);

static inline const struct tally_key *tally_key(const struct tally *tally, uint32_t number)
{
	return (const struct tally_key *)(tally->keys.values + number * sizeof(struct tally_key));
}

void tally_free(struct tally *tally);
