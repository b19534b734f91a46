/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Whether a review needs a person. What was answered before goes first, then the score, then what
 * the session was started with for when nobody is asked.
 */
#include <string.h>

#include "grithd/audit/audit.h"
#include "grithd/daemon.h"
#include "canaries.h"
#include "remembered.h"
#include "reviews.h"
#include "trust_store.h"

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

static void take_score(struct review *review)
{
	struct session *session = review->session;
	const struct score_weights *weights = review->daemon->weights;
	const struct grith_record *head = &review->subject.record.head;
	struct score_operation operation = subject_operation(&review->subject, session);
	struct flow_chain chain;

	if (!weights) {
		score_of_record(head, &review->score);
		return;
	}
	if (flow_ask(session->flow, head->pid, head->time, score_taint_seconds(weights), &chain) ==
	    FLOW_KNOWN)
		operation.flow = &chain;
	score_judge(weights, session->score, &operation, &review->score);
	canaries_saw(review->daemon->canaries, review->uid, &review->score);
}

bool review_recall(const struct review *review, struct answer *ret_answer)
{
	const struct session *session = review->session;
	const struct answers *learned = remembered_of(review->daemon->remembered, review->uid);
	const struct kept_answer *kept = answers_find(&session->answers, NULL, &review->subject);

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
	const struct score_weights *weights = review->daemon->weights;
	struct score *score = &review->score;
	bool trusted;

	if (!weights || (!review->threshold_hold && !review->threshold_deny))
		return false;
	trusted = trust_store_apply(review->daemon->trust, weights, review->session,
				    &review->subject, score);
	*ret_answer = (struct answer) { .verdict = GRITH_DENY, .by = BY_SCORE };
	if (score->total > review->threshold_deny)
		return true;
	ret_answer->verdict = GRITH_ALLOW;
	if (trusted)
		return true;
	return !review->subject.by_rule && !score->hold && score->total <= review->threshold_hold;
}

bool review_judge(struct review *review, struct answer *ret_answer)
{
	enum proto_on_hold on_hold = review->session->info.on_hold;

	take_score(review);
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
	struct keeping keeping = {
		.directory = answer->directory,
		.verdict = answer->verdict,
		.time = clock_real(),
	};
	bool always = answer->scope == PROTO_ALWAYS, judged = subject_is_judged(&review->subject);
	int r = 0;

	if (always) {
		keeping.profile = session->info.profile;
		return remembered_keep(review->daemon->remembered, review->uid, &review->subject,
				       &keeping);
	}
	r = answers_keep(&session->answers, &review->subject, &keeping);
	if (r == 0)
		return remembered_save_session(review->daemon->remembered, session->info.id,
					       &session->answers);
	/* What has no name of its own is known to the kernel by its hash all the same. */
	return r == -ENOTSUP && !judged ? 0 : r;
}
