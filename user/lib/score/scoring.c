/* SPDX-License-Identifier: MPL-2.0 */
/* Runs the filters over an operation, and sums what they add. */
#include <stdarg.h>

#include "lib/flow/flow.h"
#include "egress.h"
#include "evaluation.h"
#include "scoring.h"

struct score_part *score_part(const struct score *score, enum filter_id filter)
{
	for (size_t i = 0; i < score->n_parts; i++)
		if (score->parts[i].filter == filter)
			return (struct score_part *)&score->parts[i];
	return NULL;
}

/* The part of a filter, made where there is none. */
static struct score_part *part_of(struct score *score, enum filter_id filter, bool *ret_new)
{
	struct score_part *part = score_part(score, filter);

	*ret_new = !part;
	if (!part) {
		part = &score->parts[score->n_parts++];
		*part = (struct score_part) { .filter = filter };
	}
	return part;
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
	/* A failed filter keeps the reason of its failure. */
	if (part->failed)
		return;
	va_start(arguments, format);
	vsnprintf(part->why, sizeof(part->why), format, arguments);
	va_end(arguments);
}

void score_fail(struct score *score, enum filter_id filter, const char *format, ...)
{
	struct score_part *part;
	va_list arguments;
	bool new;

	part = part_of(score, filter, &new);
	score->failed = score->hold = true;
	if (part->failed)
		return;
	part->failed = true;
	va_start(arguments, format);
	vsnprintf(part->why, sizeof(part->why), format, arguments);
	va_end(arguments);
}

static void run_filters(struct evaluation *e, bool on_records)
{
	for (unsigned int f = 0; f < N_FILTERS; f++) {
		const struct filter *filter = filter_of(f);

		e->filter = f;
		if (filter && filter->evaluate && e->weights->enabled[f] &&
		    (!on_records || filter->on_records))
			filter->evaluate(e);
	}
}

void score_evaluate(const struct score_weights *weights, struct score_session *session,
		    const struct score_operation *operation, struct score *ret_score)
{
	CLEANUP(eval_clear)
	struct evaluation e = {
		.weights = weights,
		.session = session,
		.operation = operation,
		.score = ret_score,
	};

	score_clear(ret_score);
	if (operation->static_score)
		score_add(ret_score, FILTER_RULE, operation->static_score, "what it is done to");
	eval_prepare(&e);
	eval_context(&e);
	run_filters(&e, false);
}

/* Whether what an operation carries can be doubtful by itself. */
static bool carries_data(const struct score_weights *weights, const struct score_operation *o)
{
	switch (o->op) {
	case GRITH_OP_EXEC:
		return o->argv.length > 0;
	case GRITH_OP_CONNECT:
	case GRITH_OP_SEND:
		return !o->path.length && !o->trusted && !egress_is_local(weights, o);
	case GRITH_OP_SOCKET:
		return true;
	default:
		return false;
	}
}

bool score_track(const struct score_weights *weights, struct score_session *session,
		 const struct score_operation *operation, struct score *ret_score)
{
	CLEANUP(eval_clear)
	struct evaluation e = {
		.weights = weights,
		.session = session,
		.operation = operation,
		.score = ret_score,
	};
	bool was_armed = session->armed, doubtful = false;

	score_clear(ret_score);
	/*
	 * An answered operation was scored when it was held; what goes to the session's own server
	 * stays in it.
	 */
	if (carries_data(weights, operation) &&
	    !(operation->flags & (GRITH_RECORD_ANSWERED | GRITH_RECORD_OWN))) {
		eval_prepare(&e);
		run_filters(&e, true);
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

size_t score_taint_seconds(const struct score_weights *weights)
{
	return weights ? score_taint_lifetime(weights) : FLOW_SECONDS_DEFAULT;
}
