/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The requests that are answered at once and change at most one session, and which request goes
 * where.
 */

#include "grithd/audit/audit.h"
#include "grithd/base/base.h"
#include "grithd/daemon.h"
#include "grithd/session/session.h"
#include "lib/base/base.h"
#include "server.h"
#include "start.h"
#include "verbs.h"

/* What a user sees: root all sessions, others their own. */
static int find_session(struct client *client, const char *name, struct session **ret_session)
{
	return sessions_find(&client->server->daemon->sessions, name, client->peer.uid,
			     ret_session);
}

json_t *verb_no_session(int r, const char *name)
{
	char message[PROTO_NAME_MAX + 128];

	snprintf(message, sizeof(message),
		 r == -ENOTUNIQ ? "several sessions are called %.*s: give the id"
				: "there is no session %.*s",
		 PROTO_NAME_MAX, name);
	return proto_error_reply(PROTO_NOT_FOUND, message, NULL);
}

static json_t *failed(const char *what, int r)
{
	char message[256];

	snprintf(message, sizeof(message), "%s: %s", what, strerror(-r));
	return proto_error_reply(PROTO_INTERNAL, message, NULL);
}

static json_t *change_session(struct client *client, const struct proto_request *request)
{
	struct session *session;
	enum event_change change;
	int r = find_session(client, request->session, &session);

	if (r < 0)
		return verb_no_session(r, request->session);
	switch (request->verb) {
	case PROTO_KILL:
		change = EVENT_KILL;
		r = cgroup_kill(session->cgroup);
		break;
	case PROTO_FREEZE:
		change = EVENT_FREEZE;
		r = cgroup_freeze(session->cgroup, true);
		break;
	default:
		change = EVENT_THAW;
		r = cgroup_freeze(session->cgroup, false);
		break;
	}
	if (r < 0)
		return failed("the kernel refused", r);
	if (change != EVENT_KILL)
		session->frozen_for_log = false; /* it is a person's decision now */
	session_note(session, change, client->peer.uid, NULL);
	audit_write(&session->daemon->audit);
	return proto_ok_reply();
}

int verb_find_logged(struct client *client, const char *name, char ret_id[SESSION_ID_LENGTH + 1])
{
	OWNED_SESSION_INFO struct session_info info = { 0 };
	struct session_store *store = client->server->daemon->store;
	uint32_t uid = client->peer.uid;
	struct session *session;
	int r = find_session(client, name, &session);

	if (r == 0) {
		memcpy(ret_id, session->info.id, sizeof(session->info.id));
		return 0;
	}
	if (r != -ENOENT)
		return r;
	r = session_store_find_ended(store, name, &info);
	if (r == 0 && uid && info.uid != uid)
		return -ENOENT;
	if (r < 0)
		r = session_store_find_ended_name(store, name, uid, &info);
	if (r < 0)
		return -ENOENT;
	memcpy(ret_id, info.id, sizeof(info.id));
	return 0;
}

/* Of a session that runs, or of one that has ended. */
static bool is_owner(const struct daemon *daemon, const char *session, uint32_t uid)
{
	OWNED_SESSION_INFO struct session_info info = { 0 };
	const struct session *found = sessions_find_id(&daemon->sessions, session);

	if (found)
		return found->info.uid == uid;
	return session_store_find_ended(daemon->store, session, &info) == 0 && info.uid == uid;
}

bool verb_may_see(struct client *client, const char *session)
{
	struct sight *sight;

	if (client->peer.uid == 0)
		return true;
	if (!session[0])
		return false;
	for (size_t i = 0; i < CLIENT_SIGHTS; i++)
		if (!strcmp(client->sights[i].session, session))
			return client->sights[i].may;
	sight = &client->sights[client->next_sight++ % CLIENT_SIGHTS];
	snprintf(sight->session, sizeof(sight->session), "%s", session);
	sight->may = is_owner(client->server->daemon, session, client->peer.uid);
	return sight->may;
}

/* For each line that would be sent. */
static bool may_see(void *arg, const char *session)
{
	return verb_may_see(arg, session);
}

static int copy(const char *text, char **ret_copy)
{
	if (!text)
		return 0;
	*ret_copy = strdup(text);
	return *ret_copy ? 0 : -ENOMEM;
}

static void set_moment(int64_t seconds, const char *time, char moment[JSON_TIME_SIZE])
{
	uint64_t now = clock_real(), back = (uint64_t)seconds * UINT64_C(1000000000);

	if (time)
		snprintf(moment, JSON_TIME_SIZE, "%s", time);
	else if (seconds >= 0)
		json_format_time(now > back ? now - back : 0, moment);
}

/* The request's words were checked when it was read. */
static int make_filter(const struct proto_request *request, struct log_filter *filter)
{
	int r = copy(request->program, &filter->program);

	if (r == 0)
		r = copy(request->path, &filter->path);
	if (r == 0)
		r = copy(request->rule, &filter->rule);
	if (r == 0 && request->op)
		r = op_parse(request->op, &filter->op);
	if (r == 0 && request->verdict)
		r = verdict_parse(request->verdict, &filter->verdict);
	filter->by_verdict = request->verdict != NULL;
	filter->by_score = request->by_score;
	filter->score = request->score;
	filter->refused = request->refused;
	set_moment(request->since, request->since_time, filter->since);
	set_moment(request->until, request->until_time, filter->until);
	return r;
}

/* Starts the reading of the log; the reply to say so, or an error. */
static json_t *verb_log(struct client *client, struct proto_request *request)
{
	struct daemon *daemon = client->server->daemon;
	struct log_question question = {
		.last = request->last,
		.reverse = request->reverse,
		.follow = request->follow,
		.may = may_see,
		.arg = client,
	};
	int r;

	if (request->session) {
		r = verb_find_logged(client, request->session, question.filter.session);
		if (r < 0)
			return verb_no_session(r, request->session);
	}
	daemon_catch_up(daemon); /* what happened before the request is in the log */
	r = make_filter(request, &question.filter);
	if (r < 0) {
		log_filter_free(&question.filter);
		return failed("cannot read the audit log", r);
	}
	r = log_reader_new(daemon->options->value[SETTING_LOG_DIR], &question, &client->reader);
	if (r < 0)
		return failed("cannot read the audit log", r);
	client->more = true;
	client->lost_before = audit_log_lost(daemon->audit.log);
	return proto_ok_reply();
}

void verb_run(struct client *client, struct proto_request *request)
{
	CLEANUP(proto_request_freep) struct proto_request *owned = request;
	struct daemon *daemon = client->server->daemon;
	json_t *reply = NULL;

	switch (request->verb) {
	case PROTO_STATUS:
		reply = verb_status(daemon);
		break;
	case PROTO_LIST:
		reply = verb_list(daemon, &client->peer);
		break;
	case PROTO_LOG:
		reply = verb_log(client, request);
		break;
	case PROTO_REVIEWS:
		reply = verb_reviews(client, request);
		break;
	case PROTO_ANSWER:
		reply = verb_answer(client, request);
		break;
	case PROTO_WHY:
		verb_why(client, request, NULL);
		return;
	case PROTO_TRUST:
		reply = verb_trust(client, request);
		break;
	case PROTO_CANARY:
		reply = verb_canary(client, request);
		break;
	case PROTO_START:
		start_begin(client, TAKE_PTR(owned));
		return;
	default:
		reply = change_session(client, request);
	}
	client_reply(client, reply);
}

void verb_run_supervised(struct client *client, struct proto_request *request,
			 struct session *session)
{
	CLEANUP(proto_request_freep) struct proto_request *owned = request;

	if (owned->verb == PROTO_WHY)
		verb_why(client, owned, session);
	else
		client_reply(client,
			     proto_error_reply(PROTO_DENIED,
					       "a supervised process may ask why it was refused, "
					       "and nothing else",
					       NULL));
}
