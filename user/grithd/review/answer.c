/* SPDX-License-Identifier: MPL-2.0 */
/* How a review gets its answer, and those who wait for it get it: from a person, or from time. */
#include "review.h"

#define SECOND_NS UINT64_C(1000000000)
#define SECOND_USEC UINT64_C(1000000)
#define TIMER_ACCURACY_USEC UINT64_C(10000)

/* For all of the session, in the kernel: the fast path, without grithd from then on. */
static int cover_session(struct review *review, const struct answer *answer)
{
	const struct grith_answer_key key = { review->question.cgroup, review->question.object, 0,
					      0 };
	const struct grith_answer value = { .verdict = answer->verdict, .review = review->id };

	return holds_set_answer(&review->reviews->holds, &key, &value);
}

/* An operation that could not be held was refused: the answer is for its next try. */
static int answer_next_try(struct review *review, const struct answer *answer)
{
	const struct grith_answer_key key = { review->question.cgroup, review->question.object,
					      review->unheld, 0 };
	const struct grith_answer value = {
		.expires = clock_mono() + REVIEW_NEXT_TRY_NS,
		.verdict = answer->verdict,
		.once = 1,
		.review = review->id,
	};

	if (!review->unheld || answer->verdict != GRITH_ALLOW)
		return 0;
	return holds_set_answer(&review->reviews->holds, &key, &value);
}

int review_tell_all(struct review *review, const struct answer *answer)
{
	bool inspected = subject_is_inspected(&review->subject);
	bool cover = answer->scope != PROTO_ONCE && !answer->directory && !inspected;
	const struct hold *first = TAILQ_FIRST(&review->holds);
	struct holding_answer given = {
		.verdict = answer->verdict,
		.review = review->id,
		.covered = cover,
		.shared = first && TAILQ_NEXT(first, link),
	};
	int r = cover ? cover_session(review, answer) : 0;

	while (r == 0 && !TAILQ_EMPTY(&review->holds))
		r = hold_answer(TAILQ_FIRST(&review->holds), &given);
	if (r == 0 && !cover)
		r = answer_next_try(review, answer);
	return r;
}

static enum proto_state state_of(const struct answer *answer)
{
	if (answer->by == BY_TIMEOUT)
		return PROTO_EXPIRED;
	return answer->verdict == GRITH_ALLOW ? PROTO_ALLOWED : PROTO_REFUSED;
}

int review_finish(struct review *review, const struct answer *answer)
{
	int r = review_tell_all(review, answer);

	if (r < 0)
		return r;
	review->answer = *answer;
	review->directory = answer->directory ? strdup(answer->directory) : NULL;
	review->answer.directory = review->directory;
	review_close(review, state_of(answer));
	return 0;
}

static int finish(struct review *review, const struct answer *answer)
{
	int r = review_finish(review, answer);

	if (r == 0)
		review_announce(review);
	return r;
}

/* The other waiting reviews that a new answer reaches. */
static void answer_others(struct reviews *reviews)
{
	struct review *review = TAILQ_FIRST(&reviews->waiting), *next;
	struct answer answer;

	for (; review; review = next) {
		next = TAILQ_NEXT(review, link);
		if (review_recall(review, &answer))
			finish(review, &answer);
	}
}

static void report_untold(const struct review *review, int r)
{
	if (r < 0)
		log_line(LOG_ERR, "review %u: cannot tell the kernel its answer: %s", review->id,
			 strerror(-r));
}

/* Those of the session that wait and are of the burst that was answered now. */
static void answer_burst(struct reviews *reviews, const struct session *session)
{
	struct review *review = TAILQ_FIRST(&reviews->waiting), *next;
	struct answer answer;

	for (; review; review = next) {
		next = TAILQ_NEXT(review, link);
		if (review->session == session && burst_recall(review, &answer))
			report_untold(review, review_answer(review, &answer));
	}
}

/* The answer is valid, whether or not it can be learned from. */
static void learn(const struct review *review, const struct answer *answer)
{
	struct reviews *reviews = review->reviews;
	enum trust_answer given = TRUST_DENY;
	int r;

	if (!reviews->weights)
		return;
	if (answer->verdict == GRITH_ALLOW)
		given = answer->scope == PROTO_ALWAYS ? TRUST_APPROVE_ALWAYS : TRUST_APPROVE;
	r = trust_store_note(&reviews->trust, reviews->weights, review->session, &review->subject,
			     given);
	if (r < 0)
		log_line(LOG_WARNING, "cannot learn from the answer to review %u: %s", review->id,
			 strerror(-r));
}

int review_answer(struct review *review, const struct answer *answer)
{
	struct reviews *reviews = review->reviews;
	int r = answer->scope == PROTO_ONCE ? 0 : review_keep(review, answer);

	if (r < 0)
		return r;
	review->session->review->unanswered = 0;
	r = finish(review, answer);
	if (r < 0)
		return r;
	if (answer->scope != PROTO_ONCE)
		answer_others(reviews);
	if (answer->by == BY_USER) {
		learn(review, answer);
		answer_burst(reviews, review->session);
	}
	return 0;
}

static int on_timeout(sd_event_source *source, uint64_t time, void *arg)
{
	struct review *review = arg;
	struct reviews *reviews = review->reviews;
	const struct answer answer = { .verdict = GRITH_DENY, .by = BY_TIMEOUT };
	struct session *session = review->session;
	int r = finish(review, &answer);

	(void)time;
	if (r == 0) {
		session->review->unanswered++;
	} else {
		report_untold(review, r);
		sd_event_source_set_time_relative(source, SECOND_USEC);
		sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
	}
	audit_write(reviews->audit);
	return 0;
}

/* Short once some have expired in a row: the session seems to be unattended. */
static uint32_t seconds_to_wait(const struct session *session)
{
	uint32_t timeout = session->info.timeout ? session->info.timeout : PROTO_TIMEOUT_DEFAULT;

	if (session->review->unanswered >= REVIEW_UNATTENDED && timeout > REVIEW_UNATTENDED_SECONDS)
		return REVIEW_UNATTENDED_SECONDS;
	return timeout;
}

int review_wait(struct review *review)
{
	uint64_t expires = review->asked + seconds_to_wait(review->session) * SECOND_NS;
	uint64_t now = clock_real(), left = now < expires ? expires - now : 0;
	int r = sd_event_add_time_relative(review->reviews->event, &review->timer, CLOCK_MONOTONIC,
					   left / 1000, TIMER_ACCURACY_USEC, on_timeout, review);

	if (r < 0)
		return r;
	r = sd_event_source_set_priority(review->timer, PRIORITY_SESSIONS);
	if (r < 0)
		return r;
	review->expires = expires;
	return 0;
}
