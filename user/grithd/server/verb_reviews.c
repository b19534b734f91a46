/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The requests `reviews` and `answer`: root and a session's user may, and never from inside of any
 * session; client.c has seen to that.
 */
#include <string.h>

#include "grithd/audit/audit.h"
#include "grithd/base/base.h"
#include "grithd/daemon.h"
#include "grithd/review/review.h"
#include "server.h"
#include "verbs.h"

static json_t *bad_request(const char *message)
{
	return proto_error_reply(PROTO_BAD_REQUEST, message, NULL);
}

bool verb_may_see_review(const struct client *client, const struct review *review)
{
	uint32_t uid = client->peer.uid;

	if (uid != 0 && uid != review->uid)
		return false;
	return !client->follow.session[0] || !strcmp(client->follow.session, review->session_id);
}

/* As many as fit into a reply. */
static void add_list(const struct client *client, const struct review_list *list, json_t *array,
		     size_t *left)
{
	uint64_t now = clock_mono();
	const struct review *review;
	json_t *json;
	size_t size;

	TAILQ_FOREACH(review, list, link)
	{
		bool old = review->answered_mono &&
			   now - review->answered_mono > PROTO_REVIEWS_KEPT * UINT64_C(1000000000);

		if (old || !verb_may_see_review(client, review))
			continue;
		json = review_to_json(review);
		size = json ? json_dumpb(json, NULL, 0, JSON_COMPACT) + 1 : 0;
		if (size < *left) {
			json_array_append(array, json);
			*left -= size;
		}
		json_decref(json);
	}
}

static int compare_reviews(const void *left, const void *right)
{
	json_int_t a = json_integer_value(json_object_get(*(json_t *const *)left, "id"));
	json_int_t b = json_integer_value(json_object_get(*(json_t *const *)right, "id"));

	return a < b ? -1 : a > b;
}

/* Oldest first: the waiting ones are in order, those that were answered are not. */
static json_t *sorted(json_t *array)
{
	size_t count = json_array_size(array), i;
	OWNED_MEM json_t **list = calloc(count ? count : 1, sizeof(*list));
	json_t *result = list ? json_array() : NULL, *review;

	if (!result)
		return NULL;
	json_array_foreach (array, i, review)
		list[i] = review;
	qsort(list, count, sizeof(json_t *), compare_reviews);
	for (i = 0; i < count; i++)
		json_array_append(result, list[i]);
	return result;
}

json_t *verb_reviews(struct client *client, const struct proto_request *request)
{
	struct daemon *daemon = client->server->daemon;
	json_t *array, *reply = NULL;
	size_t left = PROTO_REPLY_MAX - 256; /* for what is around the list */
	struct session *session;
	int r;

	client->follow = (struct client_follow) { 0 };
	if (request->session) {
		r = sessions_find(&daemon->sessions, request->session, client->peer.uid, &session);
		if (r < 0)
			return verb_no_session(r, request->session);
		memcpy(client->follow.session, session->info.id, sizeof(session->info.id));
	}
	daemon_catch_up(daemon);
	array = json_array();
	add_list(client, &daemon->reviews.waiting, array, &left);
	if (request->all)
		add_list(client, &daemon->reviews.answered, array, &left);
	reply = proto_ok_reply();
	if (reply && json_object_set_new(reply, "reviews", sorted(array)) < 0) {
		json_decref(reply);
		reply = NULL;
	}
	json_decref(array);
	client->follow.on = request->follow;
	return reply;
}

static json_t *was_answered(const struct review *review)
{
	char by[32], message[128];

	answer_by_text(&review->answer, by, sizeof(by));
	if (review->state == PROTO_GONE)
		return bad_request("those who asked have ended");
	if (review->state == PROTO_EXPIRED)
		return bad_request("the review has expired: nobody answered it in time");
	snprintf(message, sizeof(message), "the review was answered already: %s, by %s",
		 proto_state_name(review->state), by);
	return bad_request(message);
}

/* The answer was given: how it is done is a matter of errors that have nothing to do with it. */
static void learn(const struct review *review, const struct proto_request *request)
{
	enum trust_answer answer = TRUST_DENY;
	struct daemon *daemon = review->daemon;
	int r;

	if (!daemon->weights)
		return;
	if (request->allow)
		answer = request->scope == PROTO_ALWAYS ? TRUST_APPROVE_ALWAYS : TRUST_APPROVE;
	r = trust_store_note(daemon->trust, daemon->weights, review->session, &review->subject,
			     answer);
	if (r < 0)
		log_line(LOG_WARNING, "cannot learn from the answer to review %u: %s", review->id,
			 strerror(-r));
}

static json_t *answered(int r)
{
	char message[160];

	switch (r) {
	case 0:
		return proto_ok_reply();
	case -ENOTSUP:
		return bad_request("the object has no lasting name: answer once, or for the "
				   "session");
	case -E2BIG:
		return proto_error_reply(PROTO_NO_SPACE, "there is no room for another answer",
					 NULL);
	default:
		snprintf(message, sizeof(message), "the answer cannot be kept: %s", strerror(-r));
		return proto_error_reply(PROTO_INTERNAL, message, NULL);
	}
}

json_t *verb_answer(struct client *client, const struct proto_request *request)
{
	struct daemon *daemon = client->server->daemon;
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

	daemon_catch_up(daemon);
	review = reviews_find(&daemon->reviews, (uint32_t)request->review);
	if (!review || (client->peer.uid && client->peer.uid != review->uid))
		return proto_error_reply(PROTO_NOT_FOUND, "there is no such review", NULL);
	if (review->state != PROTO_WAITING)
		return was_answered(review);
	if (directory && !subject_is_below(&review->subject, directory, strlen(directory)))
		return bad_request("the object does not lie in that directory");
	r = review_answer(review, &answer);
	if (r == 0) {
		learn(review, request);
		burst_answer_waiting(review->session);
	}
	audit_write(&daemon->audit);
	return answered(r);
}
