/* SPDX-License-Identifier: MPL-2.0 */
/* How holds become questions: each joins the review that it is one with, or a new one is made. */
#include "review.h"

static struct grith_hold_key key_of(const struct grith_record *head)
{
	bool inspected = head->flags & GRITH_RECORD_INSPECT_ARGV;

	return (struct grith_hold_key) { head->pid, inspected ? 0 : head->tid };
}

void review_left(struct review *review)
{
	if (review->state == PROTO_WAITING && review->held && TAILQ_EMPTY(&review->holds) &&
	    !review->unheld)
		review_settle(review, PROTO_GONE);
}

/* The hold, where there is one, is then in the list of the review, and not watched yet. */
static int join(struct review *review, const struct grith_record *head)
{
	const struct grith_hold_key key = key_of(head);
	int r;

	if (!(head->flags & GRITH_RECORD_HELD)) {
		review->unheld = head->pid;
		return 0;
	}
	r = hold_add(&review->reviews->holds, review->session, &key, head->object, review,
		     &review->holds);
	if (r == 0)
		review->held = true;
	return r;
}

/* The last one that joined is watched: an answer may take its time. */
static int watch(struct review *review)
{
	struct hold *hold = TAILQ_LAST(&review->holds, hold_list);
	int r = hold && hold->pidfd < 0 ? hold_watch(hold) : 0;

	if (r == -ESRCH)
		kernel_hold_remove(review->reviews->kernel, &hold->key);
	if (r < 0)
		hold_free(hold);
	return r;
}

/* It may have been held, and asked about, while another grithd ran. */
static void find_asked(struct review *review, const struct grith_record *head)
{
	const struct grith_hold_key key = key_of(head);
	struct grith_hold hold;

	if (head->flags & GRITH_RECORD_HELD &&
	    kernel_hold_get(review->reviews->kernel, &key, &hold) == 0)
		review->asked = clock_real() - (clock_mono() - hold.time);
}

/* A thread waits for one thing at a time: what it waited for before is over. */
static bool is_known(struct reviews *reviews, const struct grith_record *head)
{
	const struct grith_hold_key key = key_of(head);
	struct hold *hold = holds_find(&reviews->holds, &key);
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
	return !review->revoked &&
	       (review->answer.by == BY_USER || review->answer.by == BY_TIMEOUT) &&
	       clock_mono() - review->answered_mono < REVIEW_REUSE_NS;
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
		return false;
	if (review->state == PROTO_WAITING) {
		r = watch(review);
		if (r < 0)
			return r == -ESRCH;
		if (!review->reading) /* else it was not announced yet */
			review->reviews->ops->changed(review->reviews->arg, review);
		return true;
	}
	/* A refused operation needs no second answer, and each answer is for one try. */
	r = review_tell_all(review, &review->answer);
	review->unheld = unheld;
	while (!TAILQ_EMPTY(&review->holds)) /* could not be told */
		hold_free(TAILQ_FIRST(&review->holds));
	return r == 0;
}

static bool is_same(struct record_bytes a, struct record_bytes b)
{
	return a.length == b.length && (!a.length || !memcmp(a.data, b.data, a.length));
}

/* The kernel has no name for an inspected program: its whole command line is its question. */
static bool is_same_question(const struct review *review, const struct record *record,
			     struct record_bytes argv)
{
	const struct subject *subject = &review->subject;
	bool inspected = record->head.flags & GRITH_RECORD_INSPECT_ARGV;

	if (inspected != subject_is_inspected(subject))
		return false;
	return !inspected ||
	       (subject_kind(subject) == SUBJECT_COMMAND &&
		!(record->head.flags & GRITH_RECORD_TRUNCATED) &&
		is_same(subject->record.path, record->path) && is_same(subject->argv, argv));
}

static bool is_full(const struct review *review)
{
	return review->reviews->n_waiting > REVIEWS_MAX ||
	       review->session->review->waiting > REVIEWS_PER_SESSION;
}

static int wait_for_person(struct review *review)
{
	int r = watch(review);

	if (r < 0)
		return r;
	return is_full(review) ? -E2BIG : review_wait(review);
}

static void settle(struct review *review, const struct answer *answer)
{
	int r = review_finish(review, answer);

	if (r == 0)
		return;
	/* Fail closed: it stays held, and the timer tries again. */
	log_line(LOG_ERR, "review %u: cannot tell the kernel its answer: %s", review->id,
		 strerror(-r));
	if (!review->timer)
		review_wait(review);
}

/* It has ended; or stays held in the kernel, and is found again by reviews_scan(). */
static void leave(struct review *review, int r)
{
	if (r != -ESRCH)
		log_line(LOG_ERR, "session %s: a held process cannot be watched: %s",
			 review->session_id, strerror(-r));
	review_close(review, PROTO_GONE);
}

void review_ask(struct review *review, const struct settings *settings)
{
	static const struct answer too_many = { .verdict = GRITH_DENY, .by = BY_LIMIT };
	struct answer answer;
	bool decided = review_decide(review, settings, &answer);
	int r;

	if (decided) {
		settle(review, &answer);
	} else {
		r = wait_for_person(review);
		if (r == -E2BIG)
			settle(review, &too_many);
		else if (r < 0)
			leave(review, r);
	}
	recent_add(review->session->review->recent, review->subject.record.head.sequence,
		   &review->score);
}

struct review *reviews_ask(struct reviews *reviews, struct session *session,
			   const struct record *record, struct record_bytes argv,
			   const char *program)
{
	const struct grith_record *head = &record->head;
	struct review *review;
	int r;

	if (is_known(reviews, head))
		return NULL;
	review = reviews_find_question(reviews, session, head);
	if (review && review->session && is_same_question(review, record, argv) &&
	    join_earlier(review, head)) {
		recent_add(session->review->recent, head->sequence, &review->score);
		return NULL;
	}
	review = review_new(reviews, session, record, argv, program);
	r = review ? join(review, head) : -ENOMEM;
	if (r == 0) {
		find_asked(review, head);
		if (review_read_settings(review)) {
			r = watch(review);
			if (r == 0)
				return NULL;
			leave(review, r);
		} else {
			review_ask(review, NULL);
		}
		return review;
	}
	/* It stays held in the kernel, and is found again by reviews_scan(). */
	log_line(LOG_ERR, "session %s: process %u is held and cannot be asked about: %s",
		 session->info.id, head->pid, strerror(-r));
	if (review)
		review_close(review, PROTO_GONE);
	return review;
}
