/* SPDX-License-Identifier: MPL-2.0 */
/* How a review gets its answer, and those who wait for it get it: from a person, or from time. */
#include <string.h>

#include "grithd/audit/audit.h"
#include "grithd/base/base.h"
#include "grithd/daemon.h"
#include "reviews.h"

#define SECOND_NS UINT64_C(1000000000)
#define SECOND_USEC UINT64_C(1000000)
#define TIMER_ACCURACY_USEC UINT64_C(10000)

int review_set_answer(struct daemon *daemon, const struct grith_answer_key *key,
		      const struct grith_answer *answer)
{
	int r = kernel_answer_set(daemon->kernel, key, answer);

	if (r != -E2BIG)
		return r;
	kernel_answers_expire(daemon->kernel, clock_mono());
	return kernel_answer_set(daemon->kernel, key, answer);
}

/* For all of the session, in the kernel: it needs nobody from then on. */
static int cover_session(struct review *review, const struct answer *answer)
{
	const struct grith_answer_key key = { review->question.cgroup, review->question.object, 0,
					      0 };
	const struct grith_answer value = { .verdict = answer->verdict, .review = review->id };

	return review_set_answer(review->daemon, &key, &value);
}

/* What could not be held gets the answer at its next try; without one it is refused again. */
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
	return review_set_answer(review->daemon, &key, &value);
}

int review_tell_all(struct review *review, const struct answer *answer)
{
	bool judged = subject_is_judged(&review->subject);
	bool cover = answer->scope != PROTO_ONCE && !answer->directory && !judged;
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
static void answer_others(struct daemon *daemon)
{
	struct review *review = TAILQ_FIRST(&daemon->reviews.waiting), *next;
	struct answer answer;

	for (; review; review = next) {
		next = TAILQ_NEXT(review, link);
		if (review_recall(review, &answer))
			finish(review, &answer);
	}
}

int review_answer(struct review *review, const struct answer *answer)
{
	struct daemon *daemon = review->daemon;
	int r = 0;

	if (answer->scope != PROTO_ONCE) {
		r = review_keep(review, answer);
		if (r < 0)
			return r;
	}
	review->session->unanswered = 0;
	r = finish(review, answer);
	if (r == 0 && answer->scope != PROTO_ONCE)
		answer_others(daemon);
	return r;
}

static int on_timeout(sd_event_source *source, uint64_t time, void *arg)
{
	struct review *review = arg;
	struct daemon *daemon = review->daemon;
	const struct answer answer = { .verdict = GRITH_DENY, .by = BY_TIMEOUT };
	struct session *session = review->session;
	int r = finish(review, &answer);

	(void)time;
	if (r == 0) {
		session->unanswered++;
	} else {
		log_line(LOG_ERR, "review %u: cannot tell the kernel its answer: %s", review->id,
			 strerror(-r));
		sd_event_source_set_time_relative(source, SECOND_USEC);
		sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
	}
	audit_write(&daemon->audit);
	return 0;
}

/* Nobody seems to be there after some that nobody answered. */
static uint32_t seconds_to_wait(const struct session *session)
{
	uint32_t timeout = session->info.timeout ? session->info.timeout : PROTO_TIMEOUT_DEFAULT;

	if (session->unanswered >= REVIEW_UNATTENDED && timeout > REVIEW_UNATTENDED_SECONDS)
		return REVIEW_UNATTENDED_SECONDS;
	return timeout;
}

int review_wait(struct review *review)
{
	uint64_t seconds = seconds_to_wait(review->session);
	int r = sd_event_add_time_relative(review->daemon->event, &review->timer, CLOCK_MONOTONIC,
					   seconds * SECOND_USEC, TIMER_ACCURACY_USEC, on_timeout,
					   review);

	if (r < 0)
		return r;
	r = sd_event_source_set_priority(review->timer, PRIORITY_SESSIONS);
	if (r < 0)
		return r;
	review->expires = review->asked + seconds * SECOND_NS;
	return 0;
}
