/* SPDX-License-Identifier: MPL-2.0 */
/* The life of a review: asked, joined by others, answered, and told to those who wait. */
#include <string.h>

#include "audit_log.h"
#include "daemon.h"
#include "log.h"
#include "reviews.h"
#include "server.h"

#define SECOND_NS UINT64_C(1000000000)
#define SECOND_USEC UINT64_C(1000000)
#define TIMER_ACCURACY_USEC UINT64_C(10000)

int review_set_answer(struct daemon *daemon, const struct grith_answer_key *key,
		      const struct grith_answer *answer)
{
	int r = kernel_answer_set(daemon->kernel, key, answer);

	if (r != -E2BIG)
		return r;
	kernel_answers_expire(daemon->kernel, audit_now(NULL).mono);
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
		.expires = audit_now(NULL).mono + REVIEW_NEXT_TRY_NS,
		.verdict = answer->verdict,
		.once = 1,
		.review = review->id,
	};

	if (!review->unheld || answer->verdict != GRITH_ALLOW)
		return 0;
	return review_set_answer(review->daemon, &key, &value);
}

/* Tells all who wait. After a failure those who were told are no longer among them. */
static int tell_all(struct review *review, const struct answer *answer)
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

static int finish(struct review *review, const struct answer *answer)
{
	int r = tell_all(review, answer);

	if (r < 0)
		return r;
	review->answer = *answer;
	review->directory = answer->directory ? strdup(answer->directory) : NULL;
	review->answer.directory = review->directory;
	review_settle(review, state_of(answer));
	return 0;
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
	daemon_write_log(daemon);
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

static int wait_for_answer(struct review *review)
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
	review_log(review);
	if (review->daemon->server)
		server_review_changed(review->daemon->server, review);
	return 0;
}

void review_left(struct review *review)
{
	if (review->state == PROTO_WAITING && review->held && TAILQ_EMPTY(&review->holds) &&
	    !review->unheld)
		review_settle(review, PROTO_GONE);
}

/* Whether the process waits, as far as is known; the hold is then in the list of the review. */
static int join(struct review *review, const struct grith_record *head)
{
	bool judged = head->flags & GRITH_RECORD_JUDGED;
	const struct grith_hold_key key = { head->pid, judged ? 0 : head->tid };
	struct hold *hold;
	int r;

	if (!(head->flags & GRITH_RECORD_HELD)) {
		review->unheld = head->pid;
		return 0;
	}
	r = hold_add(review->session, &key, head->object, review, &review->holds, &hold);
	if (r == -ESRCH)
		kernel_hold_remove(review->daemon->kernel, &key);
	if (r == 0)
		review->held = true;
	return r;
}

/* A thread waits for one thing at a time: what it waited for before is over. */
static bool is_known(struct session *session, const struct grith_record *head)
{
	bool judged = head->flags & GRITH_RECORD_JUDGED;
	const struct grith_hold_key key = { head->pid, judged ? 0 : head->tid };
	struct hold *hold = holds_find(&session->daemon->holds, &key);
	struct review *review = hold ? hold->review : NULL;

	if (!hold || !(head->flags & GRITH_RECORD_HELD))
		return false;
	if (review && hold->object == head->object)
		return true;
	hold_free(hold);
	if (review)
		review_left(review);
	return false;
}

/* An answer of a person, or of time, is one for those who ask the same soon after. */
static bool is_reusable(const struct review *review)
{
	return (review->answer.by == BY_USER || review->answer.by == BY_TIMEOUT) &&
	       audit_now(NULL).mono - review->answered_mono < REVIEW_REUSE_NS;
}

/* false: it has to be asked again. */
static bool join_earlier(struct review *review, const struct grith_record *head)
{
	uint32_t unheld = review->unheld;
	int r;

	if (review->state == PROTO_GONE || (review->state != PROTO_WAITING && !is_reusable(review)))
		return false;
	r = join(review, head);
	if (r < 0)
		return r == -ESRCH;
	if (review->state == PROTO_WAITING) {
		if (review->daemon->server)
			server_review_changed(review->daemon->server, review);
		return true;
	}
	/* What is refused anyway needs no second answer, and each answer is for one try. */
	r = tell_all(review, &review->answer);
	review->unheld = unheld;
	while (!TAILQ_EMPTY(&review->holds)) /* could not be told */
		hold_free(TAILQ_FIRST(&review->holds));
	return r == 0;
}

static bool is_same(struct record_bytes a, struct record_bytes b)
{
	return a.length == b.length && (!a.length || !memcmp(a.data, b.data, a.length));
}

/* The kernel has no name for a judged program: its whole command line is its question. */
static bool is_same_question(const struct review *review, const struct record *record,
			     struct record_bytes argv)
{
	const struct subject *subject = &review->subject;
	bool judged = record->head.flags & GRITH_RECORD_JUDGED;

	if (judged != subject_is_judged(subject))
		return false;
	return !judged ||
	       (subject_kind(subject) == SUBJECT_COMMAND &&
		!(record->head.flags & GRITH_RECORD_TRUNCATED) &&
		is_same(subject->record.path, record->path) && is_same(subject->argv, argv));
}

static bool is_full(const struct review *review)
{
	return review->daemon->reviews.n_waiting > REVIEWS_MAX ||
	       review->session->n_reviews > REVIEWS_PER_SESSION;
}

static void ask(struct review *review)
{
	struct answer answer = { .verdict = GRITH_DENY, .by = BY_LIMIT };
	int r;

	if (!review_judge(review, &answer)) {
		r = is_full(review) ? -E2BIG : wait_for_answer(review);
		if (r == 0)
			return;
		answer = (struct answer) { .verdict = GRITH_DENY, .by = BY_LIMIT };
	}
	r = finish(review, &answer);
	if (r < 0) { /* as if nobody had known: the timer tries again */
		log_line(LOG_ERR, "review %u: cannot tell the kernel its answer: %s", review->id,
			 strerror(-r));
		if (!review->timer)
			wait_for_answer(review);
	}
}

void reviews_ask(struct session *session, const struct record *record, struct record_bytes argv,
		 const char *program)
{
	const struct grith_record *head = &record->head;
	struct review *review;
	int r;

	if (is_known(session, head))
		return;
	review = review_find_question(session, head);
	if (review && review->session && is_same_question(review, record, argv) &&
	    join_earlier(review, head)) {
		recent_add(session->recent, head->sequence, &review->score);
		return;
	}
	review = review_new(session, record, argv, program);
	r = review ? join(review, head) : -ENOMEM;
	if (r < 0 && review && r == -ESRCH) {
		review->held = true;
		review_left(review);
	} else if (r < 0) {
		/* It stays held in the kernel, and is found again by reviews_scan(). */
		log_line(LOG_ERR, "session %s: process %u is held and cannot be watched: %s",
			 session->info.id, head->pid, strerror(-r));
		if (review)
			review_settle(review, PROTO_GONE);
	} else {
		ask(review);
		recent_add(session->recent, head->sequence, &review->score);
	}
}

void reviews_end_session(struct session *session)
{
	struct daemon *daemon = session->daemon;
	struct review *review = TAILQ_FIRST(&daemon->reviews.waiting), *next;

	for (; review; review = next) {
		next = TAILQ_NEXT(review, link);
		if (review->session != session)
			continue;
		while (!TAILQ_EMPTY(&review->holds))
			hold_free(TAILQ_FIRST(&review->holds));
		review_settle(review, PROTO_GONE);
	}
	TAILQ_FOREACH(review, &daemon->reviews.answered, link)
	if (review->session == session)
		review->session = NULL;
	holds_forget_session(daemon, session);
	kernel_answers_forget(daemon->kernel, session->info.cgroup);
}
