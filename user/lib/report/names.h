/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Gives equal byte strings one number. All bytes lie in one piece of memory, so that a million
 * paths cost little more than their own length; a library's hash table allocates for each.
 * Agents choose the strings: the hash has a random key, so that they cannot choose its collisions.
 */
#pragma once

#include "lib/base/base.h"
#include "lib/record/record.h"

#define REPORT_NAME_NONE 0 /* the empty name */
#define REPORT_NAME_BEYOND 1 /* stands for all that came after a limit was reached */

struct report_names {
	char *bytes;
	size_t length, size;
	uint32_t *starts; /* name n is from starts[n] to starts[n + 1] */
	uint32_t count;
	struct report_names_slot {
		uint32_t number; /* of the name plus one; 0: free */
		uint32_t hash;
	} * table;
	size_t table_size;
	unsigned char key[16];
	uint32_t max;
	size_t max_bytes;
	uint64_t beyond; /* lookups that ended in REPORT_NAME_BEYOND */
};

/* 0 or -ENOMEM. */
int report_names_init(struct report_names *names, uint32_t max, size_t max_bytes);

/* 0 or -ENOMEM. */
int report_names_add(struct report_names *names, struct record_bytes name, uint32_t *ret_number);

/* Valid until the next one is added. */
struct record_bytes report_name(const struct report_names *names, uint32_t number);

void report_names_free(struct report_names *names);
