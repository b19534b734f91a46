/* SPDX-License-Identifier: MPL-2.0 */
/* What is kept of a session for its reviews, from its start to its end. */
#include "review.h"

/* What it did before this grithd is not known. */
static void recall_adopted(struct reviews *reviews, struct session *session)
{
	const char *id = session->info.id;
	int r;

	flow_lost(session->review->flow, clock_mono());
	r = remembered_load_session(&reviews->remembered, id, &session->review->answers);
	if (r < 0)
		log_line(LOG_WARNING,
			 "session %s: the answers that were given for it cannot be read: %s", id,
			 strerror(-r));
}

int reviews_session_added(struct reviews *reviews, struct session *session, bool adopted)
{
	struct review_session *own = session->review = calloc(1, sizeof(*own));

	if (!own)
		return -ENOMEM;
	own->recent = recent_new();
	own->score = score_session_new();
	own->flow = flow_new(session->info.sources);
	if (!own->recent || !own->score || !own->flow)
		return -ENOMEM;
	canaries_arm(&reviews->canaries, session->info.id, session->info.uid, own->score);
	if (adopted)
		recall_adopted(reviews, session);
	return 0;
}

void reviews_session_removed(struct session *session)
{
	struct review_session *own = session->review;

	if (!own)
		return;
	answers_free(&own->answers);
	score_session_free(own->score);
	recent_free(own->recent);
	flow_free(own->flow);
	free(TAKE_PTR(session->review));
}

static void end_reviews(struct reviews *reviews, struct session *session)
{
	struct review *review = TAILQ_FIRST(&reviews->waiting), *next;

	for (; review; review = next) {
		next = TAILQ_NEXT(review, link);
		if (review->session != session)
			continue;
		while (!TAILQ_EMPTY(&review->holds))
			hold_free(TAILQ_FIRST(&review->holds));
		review_settle(review, PROTO_GONE);
	}
	TAILQ_FOREACH(review, &reviews->answered, link)
	if (review->session == session)
		review->session = NULL;
	holds_forget_session(&reviews->holds, session);
	kernel_answers_forget(reviews->kernel, session->info.cgroup);
}

void reviews_session_ended(struct reviews *reviews, const struct session_info *info,
			   struct session *session)
{
	if (session)
		end_reviews(reviews, session);
	remembered_drop_session(&reviews->remembered, info->id);
}
