/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Whether a review needs a person. What was answered before goes first, then the score, then what
 * the session was started with for holds (--on-hold).
 */
#include "review.h"

/* Without weights, what the kernel counted is all that is known. */
static void score_of_record(const struct grith_record *head, struct score *score)
{
	score_clear(score);
	score->total = head->score;
	score->parts[score->n_parts++] = (struct score_part) {
		.filter = FILTER_RULE,
		.score = (int16_t)(head->score - head->context),
		.why = "what the policy gives the object",
	};
	if (head->context)
		score->parts[score->n_parts++] = (struct score_part) {
			.filter = FILTER_TAINT,
			.score = head->context,
			.why = "what the session did before",
		};
}

bool reviews_chain(const struct reviews *reviews, const struct session *session,
		   const struct grith_record *head, struct flow_chain *ret_chain)
{
	return flow_ask(session->review->flow, head->pid, head->time,
			score_taint_seconds(reviews->weights), ret_chain) == FLOW_KNOWN;
}

static void take_score(struct review *review, const struct settings *settings)
{
	struct session *session = review->session;
	const struct score_weights *weights = review->reviews->weights;
	const struct grith_record *head = &review->subject.record.head;
	struct score_operation operation = subject_operation(&review->subject, session);
	struct flow_chain chain;

	if (!weights) {
		score_of_record(head, &review->score);
		return;
	}
	if (reviews_chain(review->reviews, session, head, &chain))
		operation.flow = &chain;
	if (settings) {
		operation.settings = settings->fresh;
		operation.settings_before = settings->old;
		operation.settings_known = true;
	}
	score_evaluate(weights, session->review->score, &operation, &review->score);
	canaries_saw(&review->reviews->canaries, review->uid, &review->score);
}

bool review_recall(const struct review *review, struct answer *ret_answer)
{
	const struct session *session = review->session;
	const struct answers *learned = remembered_of(&review->reviews->remembered, review->uid);
	const struct kept_answer *kept =
		answers_find(&session->review->answers, NULL, &review->subject);

	if (!kept && learned)
		kept = answers_find(learned, session->info.profile, &review->subject);
	if (!kept)
		return burst_recall(review, ret_answer);
	*ret_answer = (struct answer) { .verdict = kept->verdict, .by = BY_REMEMBERED };
	return true;
}

/* A `hold` rule wants a person; trust is what that person said before. */
static bool ask_score(struct review *review, struct answer *ret_answer)
{
	const struct score_weights *weights = review->reviews->weights;
	struct score *score = &review->score;
	bool trusted;

	if (!weights || (!review->threshold_hold && !review->threshold_deny))
		return false;
	trusted = trust_store_apply(&review->reviews->trust, weights, review->session,
				    &review->subject, score);
	*ret_answer = (struct answer) { .verdict = GRITH_DENY, .by = BY_SCORE };
	if (score->total > review->threshold_deny)
		return true;
	ret_answer->verdict = GRITH_ALLOW;
	if (trusted)
		return true;
	return !review->subject.by_rule && !score->hold && score->total <= review->threshold_hold;
}

bool review_decide(struct review *review, const struct settings *settings,
		   struct answer *ret_answer)
{
	enum proto_on_hold on_hold = review->session->info.on_hold;

	take_score(review, settings);
	if (review_recall(review, ret_answer) || ask_score(review, ret_answer))
		return true;
	if (on_hold == PROTO_ON_HOLD_WAIT)
		return false;
	*ret_answer = (struct answer) {
		.verdict = on_hold == PROTO_ON_HOLD_ALLOW ? GRITH_ALLOW : GRITH_DENY,
		.by = BY_ON_HOLD,
	};
	return true;
}

int review_keep(struct review *review, const struct answer *answer)
{
	struct session *session = review->session;
	char trust[PROTO_KEY_MAX + 1] = "";
	struct keeping keeping = {
		.directory = answer->directory,
		.trust = trust,
		.verdict = answer->verdict,
		.time = clock_real(),
		.review = review->id,
	};
	bool always = answer->scope == PROTO_ALWAYS;
	int r;

	if (answer->verdict == GRITH_ALLOW)
		trust_store_name(session, &review->subject, trust);
	if (always) {
		keeping.profile = session->info.profile;
		return remembered_keep(&review->reviews->remembered, review->uid, &review->subject,
				       &keeping);
	}
	r = answers_keep(&session->review->answers, &review->subject, &keeping);
	return r
		       ?: remembered_save_session(&review->reviews->remembered, session->info.id,
						  &session->review->answers);
}

/* What tainted the session, for `why`. */
static void note_source(struct session *session, const struct record *record, const char *program,
			uint64_t time)
{
	for (unsigned int i = 0; i < GRITH_SOURCES; i++)
		if (record->head.labels & session->info.sources[i]) {
			recent_add_source(session->review->recent, i, time, record, program);
			return;
		}
}

static bool note_allowed(struct reviews *reviews, struct session *session,
			 const struct record *record, struct record_bytes argv, const char *program,
			 struct score *ret_score)
{
	struct score_operation operation;
	char address[INET6_ADDRSTRLEN];
	int r;

	if (!reviews->weights)
		return false;
	operation = record_operation(record, argv, program, session);
	if (record->head.kind == GRITH_KIND_NET) {
		address_format(record->address, address);
		operation.shown_host = address;
	}
	if (!score_track(reviews->weights, session->review->score, &operation, ret_score))
		return false;
	r = kernel_session_taint(reviews->kernel, session->info.cgroup,
				 ret_score->total > session->info.threshold_deny
					 ? GRITH_SOURCE_HIGH
					 : GRITH_SOURCE_MEDIUM,
				 record->head.time);
	if (r < 0)
		log_line(LOG_ERR,
			 "session %s: the kernel cannot be told that a secret was read: %s",
			 session->info.id, strerror(-r));
	return true;
}

bool reviews_note(struct reviews *reviews, struct session *session, const struct record *record,
		  struct record_bytes argv, const char *program, uint64_t time,
		  struct score *ret_score)
{
	const struct grith_record *head = &record->head;
	bool refused = head->verdict != GRITH_ALLOW, scored = false;

	if (!refused) {
		if (op_info(head->op)->data == OP_DATA_READ && head->labels)
			note_source(session, record, program, time);
		scored = note_allowed(reviews, session, record, argv, program, ret_score);
	}
	if (refused || scored)
		recent_add(session->review->recent, head->sequence, scored ? ret_score : NULL);
	return scored;
}
