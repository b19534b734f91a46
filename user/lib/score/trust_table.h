/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The table behind trust.h: entries sorted by their keys. Only for trust*.c.
 */
#pragma once

#include "trust.h"

struct trust_entry {
	struct trust_key key; /* strings owned */
	double approved, denied; /* as they were at `time` */
	uint64_t time; /* of the last answer */
};

struct trust {
	struct trust_entry *entries;
	size_t count;
};

/* -1, 0, 1, as strcmp(). */
int trust_compare(const struct trust_key *left, const struct trust_key *right);

/* Where the key is, or belongs; whether it is there. */
bool trust_search(const struct trust *trust, const struct trust_key *key, size_t *ret_index);

/* Puts an empty entry of the key at the index that trust_search() gave. 0, -EINVAL, -ENOMEM. */
int trust_insert(struct trust *trust, const struct trust_key *key, size_t index);
void trust_remove(struct trust *trust, size_t index);
