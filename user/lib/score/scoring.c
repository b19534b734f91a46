/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Puts the filters together: the table of them, the sum and its parts. Each filter is a file of its
 * own.
 */
#include <stdarg.h>

#include "internal.h"

/* In the order in which they judge; a rule over filters sees what those before it added. */
static const struct score_kind *const kinds[SCORE_KINDS] = {
	[SCORE_OPERATION_RISK] = &score_kind_operation_risk,
	[SCORE_PATH_MATCH] = &score_kind_path_match,
	[SCORE_SENSITIVE_PATH] = &score_kind_sensitive_path,
	[SCORE_ALLOWLIST] = &score_kind_allowlist,
	[SCORE_ARGUMENT] = &score_kind_argument,
	[SCORE_CAPABILITY] = &score_kind_capability,
	[SCORE_SECRET_SCAN] = &score_kind_secret_scan,
	[SCORE_COMMAND] = &score_kind_command,
	[SCORE_DESTRUCTIVE_ACTION] = &score_kind_destructive,
	[SCORE_EGRESS_POLICY] = &score_kind_egress,
	[SCORE_DLP_GATE] = &score_kind_dlp_gate,
	[SCORE_CANARY] = &score_kind_canary,
	[SCORE_REPUTATION] = &score_kind_reputation,
	[SCORE_BEHAVIOURAL] = &score_kind_behavioural,
	[SCORE_TAINT] = &score_kind_taint,
	[SCORE_CONTAINMENT] = &score_kind_containment,
	[SCORE_RATE_LIMIT] = &score_kind_rate_limit,
	[SCORE_EGRESS_RATE] = &score_kind_egress_rate,
	[SCORE_COMBINATION] = &score_kind_combination,
	[SCORE_DELEGATION] = &score_kind_delegation,
	[SCORE_MASS] = &score_kind_mass,
	[SCORE_TRUST] = &score_kind_trust,
};

const struct score_kind *score_kind_of(unsigned int filter)
{
	return filter < SCORE_KINDS ? kinds[filter] : NULL;
}

const char *score_filter_name(unsigned int filter)
{
	if (filter == SCORE_RULE)
		return "rule";
	return filter < SCORE_KINDS ? kinds[filter]->name : NULL;
}

/* The part of a filter, made where there is none. */
static struct score_part *part_of(struct score *score, enum score_filter filter, bool *ret_new)
{
	struct score_part *part;

	for (size_t i = 0; i < score->n_parts; i++)
		if (score->parts[i].filter == filter) {
			*ret_new = false;
			return &score->parts[i];
		}
	_Static_assert(SCORE_KINDS <= SCORE_PARTS_MAX, "a part for every kind");
	part = &score->parts[score->n_parts++];
	*part = (struct score_part) { .filter = filter };
	*ret_new = true;
	return part;
}

int score_points(const struct score *score, enum score_filter filter)
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

void score_add(struct score *score, enum score_filter filter, int points, const char *format, ...)
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

void score_fail(struct score *score, enum score_filter filter, const char *format, ...)
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

static void judge_all(const struct judged *judged, enum score_filter first, enum score_filter last,
		      struct score *score)
{
	for (unsigned int f = first; f <= last; f++)
		if (kinds[f] && kinds[f]->judge && judged->weights->enabled[f])
			kinds[f]->judge(judged, score);
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
		score_add(ret_score, SCORE_RULE, operation->static_score, "what it is done to");
	judged_prepare(&judged, ret_score);
	score_add_context(&judged, ret_score);
	judge_all(&judged, 0, SCORE_KINDS - 1, ret_score);
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
		judge_all(&judged, SCORE_SECRET_SCAN, SCORE_REPUTATION, ret_score);
		judge_all(&judged, SCORE_COMBINATION, SCORE_COMBINATION, ret_score);
		/* To destroy something gives nothing away. */
		doubtful = ret_score->total - score_points(ret_score, SCORE_DESTRUCTIVE_ACTION) >
			   SCORE_HOLD_DEFAULT;
	}
	if (!score_remember(session, operation)) {
		score_fail(ret_score, SCORE_TAINT, "no memory to remember what was read");
		return true;
	}
	if (session->armed && !was_armed) {
		score_add(ret_score, SCORE_CANARY, 0, "the file of a canary was read");
		return true;
	}
	return doubtful;
}
