/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Keeps the entries of learned trust sorted, and puts them into JSON values and back. What is read
 * back is checked like any other input: a file may be damaged. Knows nothing of the model.
 */
#include <math.h>

#include "lib/base/base.h"
#include "trust_table.h"

#define TRUST_VERSION 1
#define TRUST_WEIGHT_MAX 1e9 /* no number of answers comes near it */

static void close_json(json_t **json)
{
	json_decref(*json);
}

int trust_compare(const struct trust_key *left, const struct trust_key *right)
{
	int r = strcmp(left->profile, right->profile);

	if (!r)
		r = (left->op > right->op) - (left->op < right->op);
	if (!r)
		r = strcmp(left->program, right->program);
	return r ? r : strcmp(left->object, right->object);
}

bool trust_search(const struct trust *trust, const struct trust_key *key, size_t *ret_index)
{
	size_t low = 0, high = trust->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int r = trust_compare(&trust->entries[middle].key, key);

		if (r == 0) {
			*ret_index = middle;
			return true;
		}
		if (r < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*ret_index = low;
	return false;
}

static bool is_name(const char *name, size_t max)
{
	size_t length = strnlen(name, max);

	return length && length < max && text_is_utf8(name, length);
}

static void free_key(struct trust_key *key)
{
	free((char *)key->profile);
	free((char *)key->program);
	free((char *)key->object);
}

int trust_insert(struct trust *trust, const struct trust_key *key, size_t index)
{
	struct trust_entry entry = { .key.op = key->op };

	if (!op_name(key->op) || !is_name(key->profile, TRUST_NAME_MAX) ||
	    !is_name(key->program, TRUST_NAME_MAX) || !is_name(key->object, TRUST_OBJECT_MAX))
		return -EINVAL;
	if (ARRAY_GROW(trust->entries, trust->count) < 0)
		return -ENOMEM;
	entry.key.profile = strdup(key->profile);
	entry.key.program = strdup(key->program);
	entry.key.object = strdup(key->object);
	if (!entry.key.profile || !entry.key.program || !entry.key.object) {
		free_key(&entry.key);
		return -ENOMEM;
	}
	memmove(&trust->entries[index + 1], &trust->entries[index],
		(trust->count - index) * sizeof(entry));
	trust->entries[index] = entry;
	trust->count++;
	return 0;
}

void trust_remove(struct trust *trust, size_t index)
{
	free_key(&trust->entries[index].key);
	trust->count--;
	memmove(&trust->entries[index], &trust->entries[index + 1],
		(trust->count - index) * sizeof(trust->entries[0]));
}

struct trust *trust_new(void)
{
	return calloc(1, sizeof(struct trust));
}

void trust_free(struct trust *trust)
{
	if (!trust)
		return;
	for (size_t i = 0; i < trust->count; i++)
		free_key(&trust->entries[i].key);
	free(trust->entries);
	free(trust);
}

int trust_save(const struct trust *trust, json_t **ret_json)
{
	CLEANUP(close_json) json_t *keys = json_array();
	json_t *json;

	for (size_t i = 0; i < trust->count; i++) {
		const struct trust_entry *e = &trust->entries[i];
		json_t *key = json_pack(
			"{s:s, s:s, s:s, s:s, s:f, s:f, s:I}", "profile", e->key.profile, "op",
			op_name(e->key.op), "program", e->key.program, "object", e->key.object,
			"approved", e->approved, "denied", e->denied, "time", (json_int_t)e->time);

		if (json_array_append_new(keys, key) < 0)
			return -ENOMEM;
	}
	json = json_pack("{s:i, s:O}", "trust", TRUST_VERSION, "keys", keys);
	if (!json)
		return -ENOMEM;
	*ret_json = json;
	return 0;
}

static bool is_weight(double weight)
{
	return isfinite(weight) && weight >= 0 && weight <= TRUST_WEIGHT_MAX;
}

static int load_key(struct trust *trust, const json_t *json)
{
	struct trust_key key = { 0 };
	const char *op = NULL;
	double approved, denied;
	json_int_t time;
	size_t index;
	int r;

	/* "!": a key that is not expected is an error. jansson 2.14 takes the value as mutable. */
	if (json_unpack((json_t *)json, "{s:s, s:s, s:s, s:s, s:F, s:F, s:I !}", "profile",
			&key.profile, "op", &op, "program", &key.program, "object", &key.object,
			"approved", &approved, "denied", &denied, "time", &time) < 0)
		return -EINVAL;
	if (op_parse(op, &key.op) < 0 || !is_weight(approved) || !is_weight(denied) || time < 0 ||
	    trust_search(trust, &key, &index))
		return -EINVAL;
	r = trust_insert(trust, &key, index);
	if (r < 0)
		return r;
	trust->entries[index].approved = approved;
	trust->entries[index].denied = denied;
	trust->entries[index].time = (uint64_t)time;
	return 0;
}

int trust_load(const json_t *json, struct trust **ret_trust)
{
	CLEANUP(trust_freep) struct trust *trust = trust_new();
	json_t *keys = NULL;
	int version, r = 0;

	if (!trust)
		return -ENOMEM;
	if (json_unpack((json_t *)json, "{s:i, s:o !}", "trust", &version, "keys", &keys) < 0 ||
	    version != TRUST_VERSION || !json_is_array(keys))
		return -EINVAL;
	if (json_array_size(keys) > TRUST_KEYS_MAX)
		return -E2BIG;
	for (size_t i = 0; i < json_array_size(keys) && r == 0; i++)
		r = load_key(trust, json_array_get(keys, i));
	if (r < 0)
		return r;
	*ret_trust = TAKE_PTR(trust);
	return 0;
}
