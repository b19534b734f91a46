/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The request `canary`: users see and change their own, root sees those of all. Where a file is to
 * be changed, that is done first, by a child, and the request goes on at its end.
 */
#include <pwd.h>

#include "internal.h"

struct planting {
	struct client *client;
	struct verbs *verbs;
	struct canary_change change;
	struct user_child *child;
};

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
		{ -ETIMEDOUT, PROTO_BAD_REQUEST, "the file system of the file does not answer" },
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

static json_t *list(struct verbs *verbs, const struct client *client)
{
	return reply_with("canaries",
			  canaries_to_json(&verbs->reviews->canaries, client->peer.uid));
}

static void apply(struct verbs *verbs, struct client *client, struct canary_change *change)
{
	struct canaries *canaries = &verbs->reviews->canaries;
	enum proto_canary_action action = change->action;
	int r = canaries_apply(canaries, change);

	if (r == 0 && action != PROTO_CANARY_REMOVE)
		arm_running(verbs->sessions, canaries, change->uid);
	client_reply(client, r < 0 ? canary_error(r) : list(verbs, client));
}

static void planting_free(void *job)
{
	struct planting *planting = job;

	user_child_free(planting->child);
	canary_change_clear(&planting->change);
	free(planting);
}

static void on_planted(void *arg, int r)
{
	struct planting *planting = arg;
	struct client *client = planting->client;

	/* A file that is gone or changed is the user's own by now. */
	if (planting->change.action == PROTO_CANARY_REMOVE && (r == -ENOENT || r == -ESTALE))
		r = 0;
	if (r < 0)
		client_reply(client, canary_error(r));
	else
		apply(planting->verbs, client, &planting->change);
	client_end_job(client);
	client_resume(client);
}

/* Takes over the change. */
static int plant(struct verbs *verbs, struct client *client, struct canary_change *change)
{
	static const struct job_ops ops = { .free = planting_free };
	const struct passwd *entry = getpwuid(client->peer.uid);
	struct planting *planting = entry ? calloc(1, sizeof(*planting)) : NULL;
	struct user_rights rights;
	int r;

	if (!planting)
		return entry ? -ENOMEM : -EPERM;
	rights = (struct user_rights) { client->peer.pidfd, client->peer.uid, entry->pw_gid };
	planting->client = client;
	planting->verbs = verbs;
	planting->change = *change;
	*change = (struct canary_change) { 0 };
	r = user_child_start(verbs->event, &rights, plant_file, &planting->change, PLANT_MS,
			     on_planted, planting, &planting->child);
	if (r == 0)
		client_start_job(client, &ops, planting, false);
	else
		planting_free(planting);
	return r;
}

void verb_canary(struct verbs *verbs, struct client *client, const struct proto_request *request)
{
	CLEANUP(canary_change_clear) struct canary_change change = { 0 };
	int r;

	if (request->action == PROTO_CANARY_LIST) {
		client_reply(client, list(verbs, client));
		return;
	}
	r = canaries_prepare(&verbs->reviews->canaries, request->action, client->peer.uid,
			     request->name, request->path, request->value, &change);
	if (r == 0 && !change.path)
		apply(verbs, client, &change);
	else if (r == 0)
		r = plant(verbs, client, &change);
	if (r < 0)
		client_reply(client, canary_error(r));
}
