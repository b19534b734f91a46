/* SPDX-License-Identifier: MPL-2.0 */
/* The requests `trust` and `canary`: users see and change their own, root those of all. */
#include <string.h>

#include "grithd/daemon.h"
#include "grithd/review/review.h"
#include "server.h"
#include "verbs.h"

static json_t *reply_with(const char *name, json_t *array)
{
	json_t *reply = proto_ok_reply();

	if (reply && json_object_set(reply, name, array) < 0) {
		json_decref(reply);
		reply = NULL;
	}
	json_decref(array);
	return reply;
}

static json_t *failed(const char *what, int r)
{
	char message[160];

	snprintf(message, sizeof(message), "%s: %s", what, strerror(-r));
	return proto_error_reply(PROTO_INTERNAL, message, NULL);
}

json_t *verb_trust(struct client *client, const struct proto_request *request)
{
	struct daemon *daemon = client->server->daemon;
	const char *key = request->reset && strcmp(request->reset, "all") ? request->reset : NULL;
	int r = 0;

	if (request->reset)
		r = trust_store_reset(daemon->trust, client->peer.uid, key);
	if (r == -ENOENT)
		return proto_error_reply(PROTO_NOT_FOUND, "there is no such key", NULL);
	if (r < 0)
		return failed("cannot forget", r);
	/* What a key is worth by now is a matter of the weights. */
	if (!daemon->weights)
		return reply_with("trust", json_array());
	return reply_with("trust",
			  trust_store_to_json(daemon->trust, daemon->weights, client->peer.uid));
}

static json_t *canary_error(int r)
{
	switch (r) {
	case -ENOENT:
		return proto_error_reply(PROTO_NOT_FOUND, "there is no such canary, or no file",
					 NULL);
	case -EEXIST:
		return proto_error_reply(PROTO_BAD_REQUEST,
					 "a canary of that name, or the file, is there already",
					 NULL);
	case -EINVAL:
		return proto_error_reply(PROTO_BAD_REQUEST,
					 "a new value is for canaries that were given one, and "
					 "needed there",
					 NULL);
	case -ESTALE:
		return proto_error_reply(PROTO_BAD_REQUEST,
					 "the file no longer has the canary's value", NULL);
	case -E2BIG:
		return proto_error_reply(PROTO_NO_SPACE, "a user can have 64 canaries", NULL);
	default:
		return failed("cannot change the canary", r);
	}
}

static void arm_running(struct daemon *daemon, uint32_t uid)
{
	for (size_t i = 0; i < daemon->sessions.count; i++)
		if (daemon->sessions.list[i]->info.uid == uid)
			canaries_arm(daemon->canaries, daemon->sessions.list[i]);
}

json_t *verb_canary(struct client *client, const struct proto_request *request)
{
	struct daemon *daemon = client->server->daemon;
	struct canaries *canaries = daemon->canaries;
	uint32_t uid = client->peer.uid;
	int r = 0;

	switch (request->action) {
	case PROTO_CANARY_ADD:
		r = canaries_add(canaries, uid, request->name, request->path, request->value);
		break;
	case PROTO_CANARY_ROTATE:
		r = canaries_rotate(canaries, uid, request->name, request->value);
		break;
	case PROTO_CANARY_REMOVE:
		r = canaries_remove(canaries, uid, request->name);
		break;
	default:
		break;
	}
	if (r < 0)
		return canary_error(r);
	if (request->action == PROTO_CANARY_ADD || request->action == PROTO_CANARY_ROTATE)
		arm_running(daemon, uid);
	return reply_with("canaries", canaries_to_json(canaries, uid));
}
