/* SPDX-License-Identifier: MPL-2.0 */
/*
 * An open hash table of indices into one array of values. Not uthash, which allocates and links
 * each value: rows of an image and keys of a report are found by their index, and there are many.
 * Keys are those of a policy, or numbers that a report gave itself; a pid is the kernel's choice.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "intern.h"

static uint64_t hash_of(const unsigned char *value, size_t size)
{
	uint64_t h = 0xcbf29ce484222325; /* FNV-1a */

	for (size_t i = 0; i < size; i++)
		h = (h ^ value[i]) * 0x100000001b3;
	return h ^ h >> 32;
}

static uint32_t *slot_of(const struct intern *set, const unsigned char *value)
{
	size_t mask = set->table_size - 1;

	for (size_t i = hash_of(value, set->size) & mask;; i = (i + 1) & mask)
		if (!set->table[i] ||
		    memcmp(set->values + (set->table[i] - 1) * set->size, value, set->size) == 0)
			return &set->table[i];
}

/* Keeps the table at most half full, and the values as many as half of the table. */
static int grow(struct intern *set)
{
	size_t size = set->table_size ? set->table_size * 2 : 64;
	unsigned char *values;
	uint32_t *table;

	if ((size_t)set->count * 2 < set->table_size)
		return 0;
	values = reallocarray(set->values, size / 2 + 1, set->size);
	if (!values)
		return -ENOMEM;
	set->values = values;
	table = calloc(size, sizeof(*table));
	if (!table)
		return -ENOMEM;
	free(set->table);
	set->table = table;
	set->table_size = size;
	for (uint32_t i = 0; i < set->count; i++)
		*slot_of(set, set->values + i * set->size) = i + 1;
	return 0;
}

int intern(struct intern *set, const void *value, uint32_t *ret_number)
{
	uint32_t *slot;
	int r;

	r = grow(set);
	if (r < 0)
		return r;
	slot = slot_of(set, value);
	if (!*slot) {
		if (set->count == set->max)
			return -E2BIG;
		memcpy(set->values + set->count * set->size, value, set->size);
		*slot = ++set->count;
	}
	*ret_number = *slot - 1;
	return 0;
}

void intern_clear(struct intern *set)
{
	free(set->values);
	free(set->table);
}
