/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The requests `reviews` and `answer`: root and a session's user may, and never from inside of any
 * session; verbs.c has seen to that.
 */
#include "internal.h"

/* A `reviews` request that goes on. */
struct following {
	char session[SESSION_ID_LENGTH + 1]; /* empty: of all */
};

static const struct job_ops following_ops = { .free = free };

static bool may_see(uint32_t uid, const struct following *following, const struct review *review)
{
	if (uid != 0 && uid != review->uid)
		return false;
	return !following->session[0] || !strcmp(following->session, review->session_id);
}

void verbs_review_changed(struct server *server, const struct review *review)
{
	for (size_t i = 0; i < server->count; i++) {
		struct client *client = server->clients[i];

		if (client->job_ops == &following_ops && client->job &&
		    may_see(client->peer.uid, client->job, review))
			client_push(client, json_pack("{s:i, s:o}", "v", PROTO_VERSION, "review",
						      review_to_json(review)));
	}
}

/* As many as fit into a reply. */
static void add_list(uint32_t uid, const struct following *following,
		     const struct review_list *list, json_t *array, size_t *left)
{
	uint64_t now = clock_mono();
	const struct review *review;
	json_t *json;
	size_t size;

	TAILQ_FOREACH(review, list, link)
	{
		bool old = review->answered_mono &&
			   now - review->answered_mono > PROTO_REVIEWS_KEPT * UINT64_C(1000000000);

		if (old || !may_see(uid, following, review))
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

json_t *verb_reviews(struct verbs *verbs, struct client *client,
		     const struct proto_request *request)
{
	OWNED_MEM struct following *following = calloc(1, sizeof(*following));
	uint32_t uid = client->peer.uid;
	json_t *array, *list;
	size_t left = PROTO_REPLY_MAX - 256; /* for what is around the list */
	struct session *session;
	int r;

	if (!following)
		return NULL;
	if (request->session) {
		r = sessions_find(verbs->sessions, request->session, uid, &session);
		if (r < 0)
			return reply_no_session(r, request->session);
		memcpy(following->session, session->info.id, sizeof(session->info.id));
	}
	intake_catch_up(verbs->intake);
	array = json_array();
	add_list(uid, following, &verbs->reviews->waiting, array, &left);
	if (request->all)
		add_list(uid, following, &verbs->reviews->answered, array, &left);
	list = sorted(array);
	json_decref(array);
	if (request->follow)
		client_start_job(client, &following_ops, TAKE_PTR(following), false);
	return reply_with("reviews", list);
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

	intake_catch_up(verbs->intake);
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
