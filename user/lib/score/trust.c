/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The model of learned trust: how answers become two weights, how those fade, and what they do to a
 * score. Knows no file and no clock.
 */
#include <math.h>
#include <string.h>

#include "internal.h"
#include "trust_table.h"

#define SECONDS_PER_HOUR 3600

/* Both weights of an entry at a time. A clock that was set back does not make them larger. */
static struct trust_row row_at(const struct score_weights *weights, const struct trust_entry *e,
			       uint64_t now)
{
	double decay = score_number(weights, FILTER_TRUST, TRUST_DECAY) / 100.0;
	double hours = now > e->time ? (double)(now - e->time) / SECONDS_PER_HOUR : 0;
	double left = pow(decay, hours);

	return (struct trust_row) {
		.key = e->key,
		.approved = e->approved * left,
		.denied = e->denied * left,
		.time = e->time,
	};
}

/* What fades at the same rate keeps its order, so the weakest one is found at any time. */
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
	trust_remove(trust, weakest);
}

int trust_note(const struct score_weights *weights, struct trust *trust,
	       const struct trust_key *key, enum trust_answer answer, uint64_t now)
{
	static const size_t steps[TRUST_ANSWERS] = {
		[TRUST_APPROVE] = TRUST_STEP_APPROVE,
		[TRUST_APPROVE_ALWAYS] = TRUST_STEP_APPROVE_ALWAYS,
		[TRUST_DENY] = TRUST_STEP_DENY,
		[TRUST_DENY_STOP] = TRUST_STEP_DENY_STOP,
	};
	struct trust_entry *e;
	struct trust_row row;
	size_t index;
	double step;
	int r;

	if (answer >= TRUST_ANSWERS)
		return -EINVAL;
	if (!trust_search(trust, key, &index)) {
		if (trust->count == TRUST_KEYS_MAX) {
			forget_weakest(weights, trust, now);
			trust_search(trust, key, &index);
		}
		r = trust_insert(trust, key, index);
		if (r < 0)
			return r;
	}
	e = &trust->entries[index];
	row = row_at(weights, e, now);
	step = score_number(weights, FILTER_TRUST, steps[answer]) / 100.0;
	e->approved = row.approved + (answer <= TRUST_APPROVE_ALWAYS ? step : 0);
	e->denied = row.denied + (answer >= TRUST_DENY ? step : 0);
	e->time = now > e->time ? now : e->time;
	return 0;
}

static bool has_part(const struct score *score, enum filter_id filter)
{
	for (size_t i = 0; i < score->n_parts; i++)
		if (score->parts[i].filter == filter)
			return true;
	return false;
}

static bool has_secret(const struct score *score)
{
	return has_part(score, FILTER_SECRET_SCAN) || has_part(score, FILTER_DLP_GATE) ||
	       has_part(score, FILTER_CANARY);
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
	double enough = score_number(weights, FILTER_TRUST, TRUST_EVIDENCE) / 100.0;
	double least = score_number(weights, FILTER_TRUST, TRUST_LEAST) / 100.0;
	bool secret = has_secret(score), allow;
	double evidence, share, move;
	struct trust_row row;
	size_t index;

	if (!score_filter_enabled(weights, FILTER_TRUST) || !trust_search(trust, key, &index))
		return false;
	row = row_at(weights, &trust->entries[index], now);
	evidence = row.approved + row.denied;
	if (!(evidence > 0))
		return false;
	share = row.approved / evidence;
	allow = evidence >= enough && share >= least && !secret && !credential && !score->failed &&
		!has_part(score, FILTER_MASS) &&
		score->total <= score_number(weights, FILTER_TRUST, TRUST_SCORE_MAX) &&
		highest_part(score) < score_number(weights, FILTER_TRUST, TRUST_PART_BELOW);

	/* All the way down at a share of 1, all the way up at 0, by how much is known. */
	move = score_number(weights, FILTER_TRUST, TRUST_MOVE_MAX) * (1 - 2 * share) *
	       fmin(1, evidence / enough);
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

	if (!trust_search(trust, key, &index))
		return false;
	trust_remove(trust, index);
	return true;
}

size_t trust_reset(struct trust *trust, const char *profile)
{
	size_t before = trust->count;

	for (size_t i = trust->count; i-- > 0;)
		if (!profile || !strcmp(trust->entries[i].key.profile, profile))
			trust_remove(trust, i);
	return before - trust->count;
}
