/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Puts the filters together: the table of them, the sum and its parts. Each filter is a file of its
 * own.
 */
#include <stdarg.h>

#include "internal.h"

#define FILTER_ROW(id, symbol, ...) [FILTER_##id] = &filter_##symbol,
static const struct filter *const filters[N_FILTERS] = { FILTER_LIST(FILTER_ROW) };

const struct filter *filter_of(unsigned int filter)
{
	return filter < N_FILTERS ? filters[filter] : NULL;
}

/* The part of a filter, made where there is none. */
static struct score_part *part_of(struct score *score, enum filter_id filter, bool *ret_new)
{
	struct score_part *part;

	for (size_t i = 0; i < score->n_parts; i++)
		if (score->parts[i].filter == filter) {
			*ret_new = false;
			return &score->parts[i];
		}
	_Static_assert(N_FILTERS <= SCORE_PARTS_MAX, "a part for every kind");
	part = &score->parts[score->n_parts++];
	*part = (struct score_part) { .filter = filter };
	*ret_new = true;
	return part;
}

int score_points(const struct score *score, enum filter_id filter)
{
	for (size_t i = 0; i < score->n_parts; i++)
		if (score->parts[i].filter == filter)
			return score->parts[i].score;
	return 0;
}

static void explain(struct score_part *part, const char *format, va_list arguments)
{
	vsnprintf(part->why, sizeof(part->why), format, arguments);
}

void score_add(struct score *score, enum filter_id filter, int points, const char *format, ...)
{
	struct score_part *part;
	va_list arguments;
	bool new;

	if (points > INT16_MAX)
		points = INT16_MAX;
	if (points < INT16_MIN)
		points = INT16_MIN;
	part = part_of(score, filter, &new);
	if (!new &&points <= part->score)
		return;
	score->total += points - part->score;
	part->score = (int16_t)points;
	/* That a filter failed is worth more to know than what it saw before. */
	if (part->failed)
		return;
	va_start(arguments, format);
	explain(part, format, arguments);
	va_end(arguments);
}

void score_fail(struct score *score, enum filter_id filter, const char *format, ...)
{
	struct score_part *part;
	va_list arguments;
	bool new;

	part = part_of(score, filter, &new);
	score->failed = true;
	score->hold = true;
	if (part->failed)
		return;
	part->failed = true;
	va_start(arguments, format);
	explain(part, format, arguments);
	va_end(arguments);
}

static void judge_all(const struct judged *judged, enum filter_id first, enum filter_id last,
		      struct score *score)
{
	for (unsigned int f = first; f <= last; f++)
		if (filters[f] && filters[f]->judge && judged->weights->enabled[f])
			filters[f]->judge(judged, score);
}

void score_judge(const struct score_weights *weights, struct score_session *session,
		 const struct score_operation *operation, struct score *ret_score)
{
	CLEANUP(judged_freep)
	struct judged judged = {
		.weights = weights,
		.session = session,
		.operation = operation,
	};

	score_clear(ret_score);
	if (operation->static_score)
		score_add(ret_score, FILTER_RULE, operation->static_score, "what it is done to");
	judged_prepare(&judged, ret_score);
	score_add_context(&judged, ret_score);
	judge_all(&judged, 0, N_FILTERS - 1, ret_score);
}

/* Whether what an operation carries can be doubtful by itself. */
static bool carries_data(const struct score_weights *weights, const struct score_operation *o)
{
	switch (o->op) {
	case GRITH_OP_EXEC:
		return o->argv.length > 0;
	case GRITH_OP_CONNECT:
	case GRITH_OP_SEND:
		return !o->path.length && !o->trusted && !score_is_local(weights, o);
	case GRITH_OP_SOCKET:
		return true;
	default:
		return false;
	}
}

bool score_note(const struct score_weights *weights, struct score_session *session,
		const struct score_operation *operation, struct score *ret_score)
{
	CLEANUP(judged_freep)
	struct judged judged = {
		.weights = weights,
		.session = session,
		.operation = operation,
	};
	bool was_armed = session->armed, doubtful = false;

	score_clear(ret_score);
	/* What a person or the whole score answered is not doubted again. */
	if (carries_data(weights, operation) && !(operation->flags & GRITH_RECORD_ANSWERED)) {
		judged_prepare(&judged, ret_score);
		judge_all(&judged, FILTER_SECRET_SCAN, FILTER_REPUTATION, ret_score);
		judge_all(&judged, FILTER_COMBINATION, FILTER_COMBINATION, ret_score);
		/* To destroy something gives nothing away. */
		doubtful = ret_score->total - score_points(ret_score, FILTER_DESTRUCTIVE_ACTION) >
			   SCORE_HOLD_DEFAULT;
	}
	if (!score_remember(session, operation)) {
		score_fail(ret_score, FILTER_TAINT, "no memory to remember what was read");
		return true;
	}
	if (session->armed && !was_armed) {
		score_add(ret_score, FILTER_CANARY, 0, "the file of a canary was read");
		return true;
	}
	return doubtful;
}
