/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Which request goes where. A supervised process may ask why it was refused, about its own session,
 * and nothing else: it can never approve, start or read other sessions.
 */
#include "internal.h"

/* Kills, freezes or thaws. */
static json_t *change_session(struct verbs *verbs, struct client *client,
			      const struct proto_request *request)
{
	static const enum event_change changes[PROTO_VERBS] = {
		[PROTO_KILL] = EVENT_KILL,
		[PROTO_FREEZE] = EVENT_FREEZE,
		[PROTO_THAW] = EVENT_THAW,
	};
	struct session *session;
	int r = sessions_find(verbs->sessions, request->session, client->peer.uid, &session);

	if (r < 0)
		return reply_no_session(r, request->session);
	r = session_change(session, changes[request->verb], client->peer.uid);
	return r < 0 ? reply_failed("the kernel refused", r) : proto_ok_reply();
}

/* All but those that reply by themselves, see run(). */
static verb_fn *const verb_fns[PROTO_VERBS] = {
	[PROTO_STATUS] = verb_status,	 [PROTO_KILL] = change_session,
	[PROTO_FREEZE] = change_session, [PROTO_THAW] = change_session,
	[PROTO_LOG] = verb_log,		 [PROTO_ANSWER] = verb_answer,
	[PROTO_TRUST] = verb_trust,	 [PROTO_ANSWERS] = verb_answers,
};

static void run(struct verbs *verbs, struct client *client, struct proto_request *request)
{
	CLEANUP(proto_request_freep) struct proto_request *owned = request;

	if (request->verb == PROTO_START)
		verb_start(verbs, client, TAKE_PTR(owned));
	else if (request->verb == PROTO_WHY)
		verb_why(verbs, client, request, NULL);
	else if (request->verb == PROTO_LIST)
		verb_list(verbs, client);
	else if (request->verb == PROTO_REVIEWS)
		verb_reviews(verbs, client, request);
	else if (request->verb == PROTO_CANARY)
		verb_canary(verbs, client, request);
	else
		client_reply(client, verb_fns[request->verb](verbs, client, request));
}

static void run_supervised(struct verbs *verbs, struct client *client,
			   struct proto_request *request, struct session *own)
{
	CLEANUP(proto_request_freep) struct proto_request *owned = request;

	if (request->verb == PROTO_WHY)
		verb_why(verbs, client, request, own);
	else
		client_reply(client,
			     proto_error_reply(PROTO_DENIED,
					       "a supervised process may ask why it was refused, "
					       "and nothing else",
					       NULL));
}

/*
 * Where the peer is now: it may have been placed in a session since it connected. `ret_own` is that
 * session, or NULL where there is none that is known.
 */
static bool is_supervised(const struct verbs *verbs, const struct client *client,
			  struct session **ret_own)
{
	OWNED_MEM char *cgroup = NULL;
	const char *root = verbs->root->path;
	char id[SESSION_ID_LENGTH + 1] = "";

	*ret_own = NULL;
	if (peer_cgroup(&client->peer, &cgroup) < 0)
		return true;
	if (!path_text_is_below(cgroup, root))
		return false;
	if (strlen(cgroup) > strlen(root) + SESSION_ID_LENGTH)
		memcpy(id, cgroup + strlen(root) + 1, SESSION_ID_LENGTH);
	*ret_own = sessions_find_id(verbs->sessions, id);
	return true;
}

static enum proto_error error_of(int r)
{
	if (r == -EPROTONOSUPPORT)
		return PROTO_BAD_VERSION;
	return r == -ENOMEM ? PROTO_INTERNAL : PROTO_BAD_REQUEST;
}

void verbs_request(void *arg, struct client *client, const char *line, size_t length)
{
	struct verbs *verbs = arg;
	struct proto_request *request;
	struct session *own;
	bool supervised = is_supervised(verbs, client, &own);
	char why[256];
	int r;

	if (supervised) /* one question, and no place for longer than that takes */
		client->last_reply = true;
	if (supervised && !own) {
		client_reply(client, proto_error_reply(PROTO_DENIED,
						       "a supervised process may not ask for "
						       "anything",
						       NULL));
		return;
	}
	r = proto_request_parse(line, length, why, sizeof(why), &request);
	if (r < 0)
		client_reply(client, proto_error_reply(error_of(r), why, NULL));
	else if (supervised)
		run_supervised(verbs, client, request, own);
	else
		run(verbs, client, request);
}
