/* SPDX-License-Identifier: MPL-2.0 */
/* A score and its parts: which filter added what, and why. */
#pragma once

#include "lib/base/base.h"
#include "lib/policy/policy.h"

#define SCORE_HOLD_DEFAULT 300 /* hundredths: above it an operation is held, */
#define SCORE_DENY_DEFAULT 800 /* above this refused */
#define SCORE_WHY_MAX 120 /* bytes, with the NUL */

struct score_part {
	enum filter_id filter;
	int16_t score; /* hundredths; may be negative */
	bool failed; /* the filter could not decide; `why` has the reason */
	char why[SCORE_WHY_MAX]; /* a few words for a person; not escaped, cut where too long */
};

/* Starts as {0}, or with score_clear(), which leaves the parts alone. */
struct score {
	size_t n_parts;
	int total; /* hundredths */
	bool hold; /* at least held, whatever the total: delegation, mass destruction, a failure */
	bool failed; /* some filter could not decide; its part has which and why */
	struct score_part parts[N_FILTERS]; /* at most one per filter; n_parts of them count */
};

static inline void score_clear(struct score *score)
{
	score->n_parts = 0;
	score->total = 0;
	score->hold = score->failed = false;
}

/* Bytes of a score up to the last part that counts: so much of it need be kept. */
static inline size_t score_size(const struct score *score)
{
	return offsetof(struct score, parts) + score->n_parts * sizeof(score->parts[0]);
}

/* The part of a filter, or NULL. */
struct score_part *score_part(const struct score *score, enum filter_id filter);

/* What a filter has added so far. */
static inline int score_points(const struct score *score, enum filter_id filter)
{
	const struct score_part *part = score_part(score, filter);

	return part ? part->score : 0;
}

/* Adds a part, or raises the one of that filter where this is higher. */
void score_add(struct score *score, enum filter_id filter, int points, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* A filter that cannot decide: fails closed, as at least a hold. */
void score_fail(struct score *score, enum filter_id filter, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
