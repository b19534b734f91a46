/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The reviews that there are: by number, by question, and in the order in which they came. Both
 * trees hold pointers into reviews.
 */
#include <search.h>

#include "review.h"

#define SECOND_NS UINT64_C(1000000000)

static int compare_id(const void *left, const void *right)
{
	const struct review *a = left, *b = right;

	return a->id < b->id ? -1 : a->id > b->id;
}

static int compare_question(const void *left, const void *right)
{
	const struct question *a = left, *b = right;

	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	if (a->cgroup != b->cgroup)
		return a->cgroup < b->cgroup ? -1 : 1;
	return (int)a->op - (int)b->op;
}

/* The tree by question holds pointers to that part of a review. */
static struct review *of_question(const struct question *question)
{
	return (struct review *)((const char *)question - offsetof(struct review, question));
}

/* Not in a list, without holds. */
static void review_free(struct review *review)
{
	if (review->indexed)
		tdelete(&review->question, &review->reviews->by_question, compare_question);
	tdelete(review, &review->reviews->by_id, compare_id);
	review_stop_reading(review);
	sd_event_source_disable_unref(review->timer);
	subject_free(&review->subject);
	free(review->session_name);
	free(review->directory);
	free(review);
}

struct review *reviews_find(const struct reviews *reviews, uint32_t id)
{
	const struct review key = { .id = id };
	void *const *found = tfind(&key, &reviews->by_id, compare_id);

	return found ? *found : NULL;
}

struct review *reviews_find_question(const struct reviews *reviews, const struct session *session,
				     const struct grith_record *head)
{
	const struct question key = {
		.object = head->object,
		.cgroup = session->info.cgroup,
		.op = head->op,
	};
	struct question *const *found = tfind(&key, &reviews->by_question, compare_question);

	return found ? of_question(*found) : NULL;
}

/* The later review of a question takes the place of the earlier one. */
static int index_review(struct review *review)
{
	struct reviews *reviews = review->reviews;
	struct question **node;

	if (!tsearch(review, &reviews->by_id, compare_id))
		return -ENOMEM;
	node = tsearch(&review->question, &reviews->by_question, compare_question);
	if (!node)
		return -ENOMEM;
	if (*node != &review->question)
		of_question(*node)->indexed = false;
	*node = &review->question;
	review->indexed = true;
	return 0;
}

static int fill_in(struct review *review, struct reviews *reviews, struct session *session,
		   const struct record *record, struct record_bytes argv, const char *program)
{
	const struct session_info *info = &session->info;

	review->reviews = reviews;
	review->session = session;
	memcpy(review->session_id, info->id, sizeof(info->id));
	review->uid = info->uid;
	review->threshold_hold = info->threshold_hold;
	review->threshold_deny = info->threshold_deny;
	review->question = (struct question) {
		.object = record->head.object,
		.cgroup = info->cgroup,
		.op = record->head.op,
	};
	review->asked = clock_real();
	TAILQ_INIT(&review->holds);
	review->session_name = strdup(info->name);
	if (!review->session_name)
		return -ENOMEM;
	return subject_make(session, record, argv, program, &review->subject);
}

/* All but the score's parts is zero: of those only what counts is ever looked at. */
static struct review *allocate(void)
{
	struct review *review = malloc(sizeof(*review));

	if (review)
		memset(review, 0, offsetof(struct review, score.parts));
	return review;
}

struct review *review_new(struct reviews *reviews, struct session *session,
			  const struct record *record, struct record_bytes argv,
			  const char *program)
{
	struct review *review = allocate();
	int r = review ? fill_in(review, reviews, session, record, argv, program) : -ENOMEM;

	if (r == 0) {
		review->id = review_numbers_take(&reviews->numbers);
		r = review->id ? index_review(review) : -ERANGE;
	}
	if (r == 0) {
		TAILQ_INSERT_TAIL(&reviews->waiting, review, link);
		reviews->n_waiting++;
		session->review->waiting++;
		return review;
	}
	if (review)
		review_free(review);
	return NULL;
}

void review_close(struct review *review, enum proto_state state)
{
	struct reviews *reviews = review->reviews;
	struct event_head now = event_now(NULL);

	review->state = state;
	review->expires = 0;
	review->answered = now.time;
	review->answered_mono = now.mono;
	review_stop_reading(review);
	review->timer = sd_event_source_disable_unref(review->timer);
	TAILQ_REMOVE(&reviews->waiting, review, link);
	reviews->n_waiting--;
	review->session->review->waiting--;
	TAILQ_INSERT_TAIL(&reviews->answered, review, link);
	reviews->n_answered++;
	burst_note(review);
}

void review_announce(struct review *review)
{
	struct reviews *reviews = review->reviews;

	review_log(review);
	reviews->ops->changed(reviews->arg, review);
	reviews_prune(reviews, clock_mono());
}

void review_settle(struct review *review, enum proto_state state)
{
	review_close(review, state);
	review_announce(review);
}

void reviews_prune(struct reviews *reviews, uint64_t now)
{
	struct review *review;

	while ((review = TAILQ_FIRST(&reviews->answered)) &&
	       (reviews->n_answered > REVIEWS_ANSWERED_MAX ||
		now - review->answered_mono > PROTO_REVIEWS_KEPT * SECOND_NS)) {
		TAILQ_REMOVE(&reviews->answered, review, link);
		reviews->n_answered--;
		review_free(review);
	}
}

static void free_list(struct review_list *list)
{
	struct review *review;

	while ((review = TAILQ_FIRST(list))) {
		TAILQ_REMOVE(list, review, link);
		while (!TAILQ_EMPTY(&review->holds))
			hold_free(TAILQ_FIRST(&review->holds));
		review_free(review);
	}
}

static void on_gone(void *arg, struct review *review)
{
	struct reviews *reviews = arg;

	if (review)
		review_left(review);
	audit_write(reviews->audit);
}

void reviews_init(struct reviews *reviews)
{
	TAILQ_INIT(&reviews->waiting);
	TAILQ_INIT(&reviews->answered);
	reviews->holds = (struct holds) {
		.event = reviews->event,
		.kernel = reviews->kernel,
		.root = reviews->root->path,
		.gone = on_gone,
		.arg = reviews,
	};
	holds_init(&reviews->holds);
}

void reviews_free(struct reviews *reviews)
{
	free_list(&reviews->waiting);
	free_list(&reviews->answered);
	holds_free(&reviews->holds);
	canaries_free(&reviews->canaries);
	trust_store_free(&reviews->trust);
	remembered_free(&reviews->remembered);
	review_numbers_close(&reviews->numbers);
	score_weights_free(TAKE_PTR(reviews->weights));
}
