/* SPDX-License-Identifier: MPL-2.0 */
/* The requests `trust` and `answers`: users see and change their own, root those of all. */
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
