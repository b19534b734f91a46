/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The requests `reviews` and `answer`: root and a session's user may, and never from inside of any
 * session; verbs.c has seen to that.
 */
#include "internal.h"

/* Which reviews a request is about. */
struct wanted {
	uint32_t uid; /* of the requester */
	char session[SESSION_ID_LENGTH + 1]; /* empty: of all */
};

/* A `reviews` request: there can be very many, so its reply is made in steps. */
struct listing {
	struct reviews *reviews;
	struct wanted wanted;
	bool follow; /* it goes on after that */
	uint32_t *ids;
	size_t n_ids, next_id;
	size_t size; /* bytes so far */
	uint32_t *changed; /* meanwhile; only to follow */
	size_t n_changed;
};

static void listing_free(void *job)
{
	struct listing *listing = job;

	if (!listing)
		return;
	free(listing->ids);
	free(listing->changed);
	free(listing);
}
DEFINE_CLEANUP(struct listing, listing_free)

static const struct job_ops following_ops = { .free = free };

static bool may_see(const struct wanted *wanted, const struct review *review)
{
	if (wanted->uid != 0 && wanted->uid != review->uid)
		return false;
	return !wanted->session[0] || !strcmp(wanted->session, review->session_id);
}

static void push(struct client *client, const struct review *review)
{
	client_push(client,
		    json_pack("{s:i, s:o}", "v", PROTO_VERSION, "review", review_to_json(review)));
}

/* Adds one to the reply, where it has room. */
static int add_review(struct listing *listing, struct text *out, const struct review *review)
{
	json_t *json = review_to_json(review);
	OWNED_MEM char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
	size_t length = text ? strlen(text) : 0;
	int r;

	json_decref(json);
	if (!text)
		return -ENOMEM;
	if (listing->size + length >= PROTO_REPLY_MAX - 256) /* for what is around the list */
		return 0;
	r = listing->size ? text_add(out, ",", 1) : 0;
	listing->size += length + 1;
	return r ?: text_add(out, text, length);
}

static int end_listing(struct client *client, struct listing *listing)
{
	struct wanted *wanted = NULL;
	int r = text_add(&client->out, "]}\n", 3);

	if (r == 0 && listing->follow) {
		wanted = malloc(sizeof(*wanted));
		if (!wanted)
			return -ENOMEM;
		*wanted = listing->wanted;
		for (size_t i = 0; i < listing->n_changed; i++) {
			const struct review *review =
				reviews_find(listing->reviews, listing->changed[i]);

			if (review)
				push(client, review);
		}
	}
	client_end_job(client);
	if (wanted)
		client_start_job(client, &following_ops, wanted, false);
	return r;
}

static int listing_step(struct client *client, void *job)
{
	struct listing *listing = job;
	uint64_t end = clock_mono() + STEP_NS;
	int r = 0;

	while (r == 0 && clock_mono() < end) {
		const struct review *review;

		if (listing->next_id == listing->n_ids)
			return end_listing(client, listing);
		review = reviews_find(listing->reviews, listing->ids[listing->next_id++]);
		if (review)
			r = add_review(listing, &client->out, review);
	}
	return r;
}

static const struct job_ops listing_ops = { .step = listing_step, .free = listing_free };

static void note_changed(struct listing *listing, const struct review *review)
{
	if (listing->follow && may_see(&listing->wanted, review) &&
	    ARRAY_GROW(listing->changed, listing->n_changed) == 0)
		listing->changed[listing->n_changed++] = review->id;
}

void verbs_review_changed(struct server *server, const struct review *review)
{
	for (size_t i = 0; i < server->count; i++) {
		struct client *client = server->clients[i];

		if (!client->job)
			continue;
		if (client->job_ops == &listing_ops)
			note_changed(client->job, review);
		else if (client->job_ops == &following_ops && may_see(client->job, review))
			push(client, review);
	}
}

static int add_ids(struct listing *listing, const struct review_list *list)
{
	uint64_t now = clock_mono();
	const struct review *review;

	TAILQ_FOREACH(review, list, link)
	{
		bool old = review->answered_mono &&
			   now - review->answered_mono > PROTO_REVIEWS_KEPT * UINT64_C(1000000000);

		if (old || !may_see(&listing->wanted, review))
			continue;
		if (ARRAY_GROW(listing->ids, listing->n_ids) < 0)
			return -ENOMEM;
		listing->ids[listing->n_ids++] = review->id;
	}
	return 0;
}

static int compare_ids(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

static int start_listing(struct verbs *verbs, struct client *client,
			 const struct proto_request *request, const struct wanted *wanted)
{
	CLEANUP(listing_freep) struct listing *listing = calloc(1, sizeof(*listing));
	struct reviews *reviews = verbs->reviews;
	int r;

	if (!listing)
		return -ENOMEM;
	listing->reviews = reviews;
	listing->wanted = *wanted;
	listing->follow = request->follow;
	r = add_ids(listing, &reviews->waiting);
	if (r == 0 && request->all)
		r = add_ids(listing, &reviews->answered);
	/* Oldest first: the waiting ones are in order, those that were answered are not. */
	if (listing->n_ids)
		qsort(listing->ids, listing->n_ids, sizeof(*listing->ids), compare_ids);
	r = r ?: text_addf(&client->out, "{\"v\":%d,\"ok\":true,\"reviews\":[", PROTO_VERSION);
	if (r == 0)
		client_start_job(client, &listing_ops, TAKE_PTR(listing), true);
	return r;
}

void verb_reviews(struct verbs *verbs, struct client *client, const struct proto_request *request)
{
	struct wanted wanted = { .uid = client->peer.uid };
	struct session *session;
	int r;

	if (request->session) {
		r = sessions_find(verbs->sessions, request->session, wanted.uid, &session);
		if (r < 0) {
			client_reply(client, reply_no_session(r, request->session));
			return;
		}
		memcpy(wanted.session, session->info.id, sizeof(session->info.id));
	}
	intake_refresh(verbs->intake);
	if (start_listing(verbs, client, request, &wanted) < 0)
		client_reply(client, NULL);
}

static json_t *was_answered(const struct review *review)
{
	char by[32], message[128];

	answer_by_text(&review->answer, by, sizeof(by));
	if (review->state == PROTO_GONE)
		return reply_bad_request("those who asked have ended");
	if (review->state == PROTO_EXPIRED)
		return reply_bad_request("the review has expired: nobody answered it in time");
	snprintf(message, sizeof(message), "the review was answered already: %s, by %s",
		 proto_state_name(review->state), by);
	return reply_bad_request(message);
}

static json_t *answered(int r)
{
	switch (r) {
	case 0:
		return proto_ok_reply();
	case -ENOTSUP:
		return reply_bad_request("the object has no lasting name: answer once, or for the "
					 "session");
	case -E2BIG:
		return proto_error_reply(PROTO_NO_SPACE, "there is no room for another answer",
					 NULL);
	default:
		return reply_failed("the answer cannot be kept", r);
	}
}

json_t *verb_answer(struct verbs *verbs, struct client *client, const struct proto_request *request)
{
	const char *directory = request->directory;
	const struct answer answer = {
		.verdict = request->allow ? GRITH_ALLOW : GRITH_DENY,
		.scope = request->scope,
		.directory = directory,
		.by = BY_USER,
		.uid = client->peer.uid,
	};
	struct review *review;
	int r;

	intake_refresh(verbs->intake);
	review = reviews_find(verbs->reviews, (uint32_t)request->review);
	if (!review || (client->peer.uid && client->peer.uid != review->uid))
		return proto_error_reply(PROTO_NOT_FOUND, "there is no such review", NULL);
	if (review->state != PROTO_WAITING)
		return was_answered(review);
	if (directory && !subject_is_below(&review->subject, directory))
		return reply_bad_request("the object does not lie in that directory");
	r = review_answer(review, &answer);
	audit_write(verbs->audit);
	return answered(r);
}
