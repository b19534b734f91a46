/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Learned trust: how answers become two weights, how those fade, and what they do to a score. The
 * numbers are those of the filter "trust" in policy/weights.yaml.
 *
 * The keys are a sorted array of its own: their programs and objects come from agents, so that a
 * hash table could be flooded, and they are listed in order.
 */
#include <math.h>

#include "trust.h"
#include "weights_internal.h"

#define SECONDS_PER_HOUR 3600
#define TRUST_VERSION 1
#define TRUST_WEIGHT_MAX 1e9 /* no number of answers comes near it */

/* The first ones are those of enum trust_answer. */
#define NUMBERS(NUMBER)                               \
	NUMBER(STEP_APPROVE, "approve")               \
	NUMBER(STEP_APPROVE_ALWAYS, "approve-always") \
	NUMBER(STEP_DENY, "deny")                     \
	NUMBER(STEP_DENY_STOP, "deny-and-stop")       \
	NUMBER(DECAY, "decay-per-hour")               \
	NUMBER(EVIDENCE, "answers-least")             \
	NUMBER(LEAST, "trust-least")                  \
	NUMBER(SCORE_MAX, "score-most")               \
	NUMBER(PART_BELOW, "filter-most")             \
	NUMBER(MOVE_MAX, "shift-most")
FILTER_INDICES(NUMBERS);
FILTER(trust, NUMBERS, NO_KEYS); /* trust_apply() adds it, to a score that is there */
_Static_assert(STEP_APPROVE == (int)TRUST_APPROVE && STEP_DENY_STOP == (int)TRUST_DENY_STOP &&
		       DECAY == (int)TRUST_ANSWERS,
	       "a step for each answer");

struct trust_entry {
	struct trust_key key; /* strings owned */
	double approved, denied; /* as they were at `time` */
	uint64_t time; /* of the last answer */
};

struct trust {
	struct trust_entry *entries;
	size_t count;
};

static int number(const struct score_weights *weights, size_t index)
{
	return score_number(weights, FILTER_TRUST, index);
}

static int compare(const struct trust_key *left, const struct trust_key *right)
{
	int r = strcmp(left->profile, right->profile);

	if (!r)
		r = (left->op > right->op) - (left->op < right->op);
	if (!r)
		r = strcmp(left->program, right->program);
	return r ? r : strcmp(left->object, right->object);
}

static bool search(const struct trust *trust, const struct trust_key *key, size_t *ret_index)
{
	size_t low = 0, high = trust->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int r = compare(&trust->entries[middle].key, key);

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

static int insert(struct trust *trust, const struct trust_key *key, size_t index)
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

static void remove_at(struct trust *trust, size_t index)
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

/* Both weights of an entry at a time. A clock that was set back does not make them larger. */
static struct trust_row row_at(const struct score_weights *weights, const struct trust_entry *e,
			       uint64_t now)
{
	double decay = number(weights, DECAY) / 100.0;
	double hours = now > e->time ? (double)(now - e->time) / SECONDS_PER_HOUR : 0;
	double left = pow(decay, hours);

	return (struct trust_row) {
		.key = e->key,
		.approved = e->approved * left,
		.denied = e->denied * left,
		.time = e->time,
	};
}

/* All weights decay at one rate, so their order does not change with time. */
static void forget_weakest(const struct score_weights *weights, struct trust *trust, uint64_t now)
{
	size_t weakest = 0;
	double least = INFINITY;

	for (size_t i = 0; i < trust->count; i++) {
		struct trust_row row = row_at(weights, &trust->entries[i], now);

		if (row.approved + row.denied >= least)
			continue;
		least = row.approved + row.denied;
		weakest = i;
	}
	remove_at(trust, weakest);
}

int trust_note(const struct score_weights *weights, struct trust *trust,
	       const struct trust_key *key, enum trust_answer answer, uint64_t now)
{
	struct trust_entry *e;
	struct trust_row row;
	size_t index;
	double step;
	int r;

	if (answer >= TRUST_ANSWERS)
		return -EINVAL;
	if (!search(trust, key, &index)) {
		if (trust->count == TRUST_KEYS_MAX) {
			forget_weakest(weights, trust, now);
			search(trust, key, &index);
		}
		r = insert(trust, key, index);
		if (r < 0)
			return r;
	}
	e = &trust->entries[index];
	row = row_at(weights, e, now);
	step = number(weights, answer) / 100.0;
	e->approved = row.approved + (answer <= TRUST_APPROVE_ALWAYS ? step : 0);
	e->denied = row.denied + (answer >= TRUST_DENY ? step : 0);
	e->time = now > e->time ? now : e->time;
	return 0;
}

static bool has_secret(const struct score *score)
{
	return score_part(score, FILTER_SECRET_SCAN) || score_part(score, FILTER_DLP_GATE) ||
	       score_part(score, FILTER_CANARY);
}

static int highest_part(const struct score *score)
{
	int highest = 0;

	for (size_t i = 0; i < score->n_parts; i++)
		if (score->parts[i].score > highest)
			highest = score->parts[i].score;
	return highest;
}

bool trust_apply(const struct score_weights *weights, const struct trust *trust,
		 const struct trust_key *key, uint64_t now, bool credential, struct score *score)
{
	double enough = number(weights, EVIDENCE) / 100.0;
	double least = number(weights, LEAST) / 100.0;
	bool secret = has_secret(score), allow;
	double evidence, share, move;
	struct trust_row row;
	size_t index;

	if (!score_filter_enabled(weights, FILTER_TRUST) || !search(trust, key, &index))
		return false;
	row = row_at(weights, &trust->entries[index], now);
	evidence = row.approved + row.denied;
	if (!(evidence > 0))
		return false;
	share = row.approved / evidence;
	allow = evidence >= enough && share >= least && !secret && !credential && !score->failed &&
		!score_part(score, FILTER_MASS) && score->total <= number(weights, SCORE_MAX) &&
		highest_part(score) < number(weights, PART_BELOW);

	/* All the way down at a share of 1, all the way up at 0, by how much is known. */
	move = number(weights, MOVE_MAX) * (1 - 2 * share) * fmin(1, evidence / enough);
	if (move < 0 && (secret || score->failed))
		move = 0;
	score_add(score, FILTER_TRUST, (int)lround(move), "answers before: %.1f for, %.1f against",
		  row.approved, row.denied);
	return allow;
}

size_t trust_count(const struct trust *trust)
{
	return trust->count;
}

struct trust_key trust_key_at(const struct trust *trust, size_t index)
{
	return trust->entries[index].key;
}

void trust_at(const struct score_weights *weights, const struct trust *trust, size_t index,
	      uint64_t now, struct trust_row *ret_row)
{
	*ret_row = row_at(weights, &trust->entries[index], now);
}

bool trust_forget(struct trust *trust, const struct trust_key *key)
{
	size_t index;

	if (!search(trust, key, &index))
		return false;
	remove_at(trust, index);
	return true;
}

size_t trust_reset(struct trust *trust, const char *profile)
{
	size_t before = trust->count;

	for (size_t i = trust->count; i-- > 0;)
		if (!profile || !strcmp(trust->entries[i].key.profile, profile))
			remove_at(trust, i);
	return before - trust->count;
}

int trust_save(const struct trust *trust, json_t **ret_json)
{
	json_auto_t *keys = json_array();
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
	    search(trust, &key, &index))
		return -EINVAL;
	r = insert(trust, &key, index);
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
