/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The requests `trust`, `canary` and `answers`: users see and change their own, root those of all.
 */
#include "internal.h"

json_t *verb_trust(struct verbs *verbs, struct client *client, const struct proto_request *request)
{
	struct reviews *reviews = verbs->reviews;
	const char *key = request->reset && strcmp(request->reset, "all") ? request->reset : NULL;
	int r = 0;

	if (request->reset)
		r = trust_store_reset(&reviews->trust, client->peer.uid, key);
	if (r == -ENOENT)
		return proto_error_reply(PROTO_NOT_FOUND, "there is no such key", NULL);
	if (r < 0)
		return reply_failed("cannot forget", r);
	/* The decay of a key depends on the weights. */
	if (!reviews->weights)
		return reply_with("trust", json_array());
	return reply_with("trust",
			  trust_store_to_json(&reviews->trust, reviews->weights, client->peer.uid));
}

static json_t *canary_error(int r)
{
	static const struct {
		int r;
		enum proto_error error;
		const char *message;
	} errors[] = {
		{ -ENOENT, PROTO_NOT_FOUND, "there is no such canary, or no file" },
		{ -EEXIST, PROTO_BAD_REQUEST,
		  "a canary of that name, or the file, is there already" },
		{ -EINVAL, PROTO_BAD_REQUEST,
		  "a new value is for canaries that were given one, and needed there" },
		{ -ESTALE, PROTO_BAD_REQUEST, "the file no longer has the canary's value" },
		{ -E2BIG, PROTO_NO_SPACE, "a user can have 64 canaries" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(errors); i++)
		if (r == errors[i].r)
			return proto_error_reply(errors[i].error, errors[i].message, NULL);
	return reply_failed("cannot change the canary", r);
}

static void arm_running(const struct sessions *sessions, const struct canaries *canaries,
			uint32_t uid)
{
	for (size_t i = 0; i < sessions->count; i++) {
		const struct session *session = sessions->list[i];

		if (session->info.uid == uid)
			canaries_arm(canaries, session->info.id, uid, session->review->score);
	}
}

json_t *verb_canary(struct verbs *verbs, struct client *client, const struct proto_request *request)
{
	struct canaries *canaries = &verbs->reviews->canaries;
	const struct peer *peer = &client->peer;
	uint32_t uid = peer->uid;
	int r = 0;

	if (request->action == PROTO_CANARY_ADD)
		r = canaries_add(canaries, peer, request->name, request->path, request->value);
	else if (request->action == PROTO_CANARY_ROTATE)
		r = canaries_rotate(canaries, peer, request->name, request->value);
	else if (request->action == PROTO_CANARY_REMOVE)
		r = canaries_remove(canaries, peer, request->name);
	if (r < 0)
		return canary_error(r);
	if (request->action == PROTO_CANARY_ADD || request->action == PROTO_CANARY_ROTATE)
		arm_running(verbs->sessions, canaries, uid);
	return reply_with("canaries", canaries_to_json(canaries, uid));
}

json_t *verb_answers(struct verbs *verbs, struct client *client,
		     const struct proto_request *request)
{
	struct standing_scope scope = { .uid = client->peer.uid };
	struct session *session = NULL;
	int r = 0;

	if (request->session)
		r = sessions_find(verbs->sessions, request->session, scope.uid, &session);
	if (r < 0)
		return reply_no_session(r, request->session);
	scope.session = session;
	if (request->revoke >= 0)
		r = standing_revoke(verbs->reviews, &scope, (uint32_t)request->revoke);
	if (r < 0)
		return reply_failed("revoked, but it may come back: it cannot be written down", r);
	if (r == 0 && request->revoke > 0)
		return proto_error_reply(PROTO_NOT_FOUND, "no answer to that review stands", NULL);
	return reply_with("answers", standing_to_json(verbs->reviews, &scope));
}
