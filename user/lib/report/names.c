/* SPDX-License-Identifier: MPL-2.0 */
/*
 * An open-addressing hash table; hashes are kept beside the numbers, so that most comparisons end
 * early.
 */
#include <sodium.h>
#include <sys/random.h>

#include "names.h"

#define TABLE_MIN 1024
#define BEYOND "(beyond the limit of different names)"

static uint32_t hash_of(const struct report_names *names, struct record_bytes name)
{
	unsigned char hash[crypto_shorthash_BYTES];
	uint32_t word;

	crypto_shorthash(hash, (const unsigned char *)name.data, name.length, names->key);
	memcpy(&word, hash, sizeof(word));
	return word;
}

struct record_bytes report_name(const struct report_names *names, uint32_t number)
{
	uint32_t start = names->starts[number];

	return (struct record_bytes) { names->bytes + start, names->starts[number + 1] - start };
}

static struct report_names_slot *free_slot(struct report_names_slot *table, size_t mask,
					   uint32_t hash)
{
	size_t i = hash & mask;

	while (table[i].number)
		i = (i + 1) & mask;
	return &table[i];
}

/* Keeps the table at most half full. */
static int grow_table(struct report_names *names)
{
	size_t size = names->table_size ? names->table_size * 2 : TABLE_MIN;
	struct report_names_slot *table;
	uint32_t *starts;

	if ((size_t)names->count * 2 < names->table_size)
		return 0;
	starts = reallocarray(names->starts, size / 2 + 1, sizeof(*starts));
	if (!starts)
		return -ENOMEM;
	names->starts = starts;
	table = calloc(size, sizeof(*table));
	if (!table)
		return -ENOMEM;
	for (size_t i = 0; i < names->table_size; i++)
		if (names->table[i].number)
			*free_slot(table, size - 1, names->table[i].hash) = names->table[i];
	free(names->table);
	names->table = table;
	names->table_size = size;
	return 0;
}

static int grow_bytes(struct report_names *names, size_t more)
{
	size_t size = names->size ? names->size : 65536;
	char *bytes;

	while (size < names->length + more)
		size *= 2;
	if (size == names->size)
		return 0;
	bytes = realloc(names->bytes, size);
	if (!bytes)
		return -ENOMEM;
	names->bytes = bytes;
	names->size = size;
	return 0;
}

static int append(struct report_names *names, struct record_bytes name, uint32_t hash,
		  struct report_names_slot *slot)
{
	int r = grow_bytes(names, name.length);

	if (r < 0)
		return r;
	if (name.length)
		memcpy(names->bytes + names->length, name.data, name.length);
	names->starts[names->count] = names->length;
	names->length += name.length;
	*slot = (struct report_names_slot) { ++names->count, hash };
	names->starts[names->count] = names->length;
	return 0;
}

static bool is_name(const struct report_names *names, uint32_t number, struct record_bytes name)
{
	struct record_bytes other = report_name(names, number);

	return other.length == name.length &&
	       (!name.length || !memcmp(other.data, name.data, name.length));
}

int report_names_add(struct report_names *names, struct record_bytes name, uint32_t *ret_number)
{
	uint32_t hash = hash_of(names, name);
	struct report_names_slot *slot;
	int r = grow_table(names);

	if (r < 0)
		return r;
	for (size_t i = hash;; i++) {
		slot = &names->table[i & (names->table_size - 1)];
		if (!slot->number)
			break;
		if (slot->hash == hash && is_name(names, slot->number - 1, name)) {
			*ret_number = slot->number - 1;
			return 0;
		}
	}
	if (names->count >= names->max || names->length + name.length > names->max_bytes) {
		names->beyond++;
		*ret_number = REPORT_NAME_BEYOND;
		return 0;
	}
	r = append(names, name, hash, slot);
	if (r == 0)
		*ret_number = slot->number - 1;
	return r;
}

int report_names_init(struct report_names *names, uint32_t max, size_t max_bytes)
{
	uint32_t number;
	int r;

	*names = (struct report_names) { .max = max, .max_bytes = max_bytes };
	/* Where there is no randomness, the worst is a slow report. */
	if (getrandom(names->key, sizeof(names->key), GRND_NONBLOCK) < 0)
		memset(names->key, 0, sizeof(names->key));
	r = report_names_add(names, (struct record_bytes) { "", 0 }, &number);
	if (r == 0)
		r = report_names_add(names, (struct record_bytes) { BEYOND, strlen(BEYOND) },
				     &number);
	return r;
}

void report_names_free(struct report_names *names)
{
	free(names->bytes);
	free(names->starts);
	free(names->table);
}
