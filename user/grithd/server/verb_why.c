/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The `why` request: one entry of the log with what is known of it that the log does not say: the
 * rule's own words, what tainted the session, and what could be done.
 */

#include "grithd/audit/audit.h"
#include "grithd/base/base.h"
#include "grithd/daemon.h"
#include "grithd/review/review.h"
#include "lib/base/base.h"
#include "server.h"
#include "verbs.h"

/* Blocks of the log that may be looked at. */
#define BLOCKS_MAX 4096
#define BLOCKS_MAX_SUPERVISED 64 /* what an agent may make grithd read for one question */

/* For each line that could be the one. */
static bool may_see(void *arg, const char *session)
{
	return verb_may_see(arg, session);
}

static const char *field(const json_t *event, const char *name)
{
	const char *value = json_string_value(json_object_get(event, name));

	return value ? value : "";
}

/* What was read before it, oldest first. */
static json_t *chain_to_json(const struct session *session, const char *before)
{
	static const char *const weights[GRITH_SOURCES] = { "much", "some", "little" };
	const struct recent_source *sources;
	size_t count = recent_sources(session->recent, &sources);
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++) {
		OWNED_TEXT struct text text = { 0 };
		char time[JSON_TIME_SIZE];
		const char *program = sources[i].program ? sources[i].program : "a process";

		json_format_time(sources[i].time, time);
		if (strcmp(time, before) > 0 ||
		    text_add_escaped(&text, program, strlen(program)) < 0 ||
		    text_addf(&text, " (%u) read ", sources[i].pid) < 0 ||
		    text_add_escaped(&text, sources[i].path, strlen(sources[i].path)) < 0 ||
		    text_addf(&text, ", which weighs %s", weights[sources[i].weight]) < 0)
			continue;
		json_array_append_new(array,
				      json_pack("{s:s, s:s}", "time", time, "text", text.data));
	}
	return array;
}

static void suggest_rule(const json_t *event, json_t *array)
{
	const char *rule = field(event, "rule");

	if (!strcmp(rule, "default"))
		json_array_append_new(
			array, json_sprintf("no rule matches: add one that allows %s to the policy",
					    field(event, "op")));
	else
		json_array_append_new(array,
				      json_sprintf("add a rule that allows %s after %s, or change "
						   "that one; nothing after a `final` rule can",
						   field(event, "op"), rule));
}

static json_t *ways_to_allow(const struct daemon *daemon, const json_t *event)
{
	json_t *array = json_array();
	const char *session = field(event, "session");
	const struct review *review;

	if (!strcmp(field(event, "verdict"), "allow")) {
		json_array_append_new(array, json_string("it was allowed"));
		return array;
	}
	TAILQ_FOREACH(review, &daemon->reviews.waiting, link)
	{
		uint32_t pid = review->subject.record.head.pid;

		if (strcmp(review->session_id, session) ||
		    json_integer_value(json_object_get(event, "pid")) != pid)
			continue;
		json_array_append_new(array, json_sprintf("answer it from outside the session: "
							  "grith review allow %u",
							  review->id));
		break;
	}
	suggest_rule(event, array);
	if (json_object_get(event, "context"))
		json_array_append_new(array,
				      json_string("what the session read counts for an hour: a "
						  "new session has read nothing"));
	return array;
}

/* Of an answered operation they are its review's. */
static json_t *parts_of(const struct session *session, const json_t *event, const json_t *review)
{
	json_int_t sequence = json_integer_value(json_object_get(event, "seq"));
	json_t *logged = json_object_get(review ? review : event, "parts");
	const struct score *score =
		session ? recent_score(session->recent, (uint64_t)sequence) : NULL;

	if (score)
		return score_parts_to_json(score);
	return logged ? json_incref(logged) : json_array();
}

static json_t *explain(struct daemon *daemon, json_t *event, json_t *review)
{
	const struct session *session =
		sessions_find_id(&daemon->sessions, field(event, "session"));
	OWNED_TEXT struct text rule_text = { 0 };
	json_t *why =
		json_pack("{s:O, s:s, s:o, s:o, s:o}", "event", event, "rule", field(event, "rule"),
			  "parts", parts_of(session, event, review), "chain",
			  session ? chain_to_json(session, field(event, "time")) : json_array(),
			  "allow", ways_to_allow(daemon, event));

	if (why && review)
		json_object_set(why, "review", review);
	if (why && rule_text_read(daemon->options->value[SETTING_POLICY_DIR], field(event, "rule"),
				  &rule_text) == 0)
		json_object_set_new(why, "rule_text",
				    json_of_bytes(rule_text.data, rule_text.length));
	return why;
}

static json_t *reply_found(struct daemon *daemon, const struct why_search *search)
{
	json_t *reply = proto_ok_reply();
	json_t *why = explain(daemon, why_search_event(search), why_search_review(search));

	if (reply && json_object_set_new(reply, "why", why) < 0) {
		json_decref(reply);
		reply = NULL;
	}
	return reply;
}

static json_t *reply_not_found(bool is_short)
{
	return proto_error_reply(PROTO_NOT_FOUND,
				 is_short ? "there is no such entry in the last part of the log"
					  : "there is no such entry in the log",
				 NULL);
}

void verb_why_step(struct client *client)
{
	CLEANUP(why_search_freep) struct why_search *search = client->why;
	bool done = false;
	int r = why_search_step(search, &done);

	if (r == 0 && !done) {
		TAKE_PTR(search);
		return;
	}
	client->why = NULL;
	if (r < 0)
		client_reply(client,
			     proto_error_reply(PROTO_INTERNAL, "cannot read the audit log", NULL));
	else if (why_search_event(search))
		client_reply(client, reply_found(client->server->daemon, search));
	else
		client_reply(client, reply_not_found(why_search_is_short(search)));
}

/* Only its own, under either of its names. */
static bool is_own(const struct session *own, const char *name)
{
	return !name || !strcmp(name, own->info.id) || !strcmp(name, own->info.name);
}

/* Which session is meant: NULL, or a refusal. */
static json_t *find_session(struct client *client, const struct proto_request *request,
			    const struct session *own, char ret_id[SESSION_ID_LENGTH + 1])
{
	int r = 0;

	ret_id[0] = '\0';
	if (own && !is_own(own, request->session))
		return proto_error_reply(PROTO_DENIED,
					 "a supervised process may ask about its own session only",
					 NULL);
	if (own)
		memcpy(ret_id, own->info.id, SESSION_ID_LENGTH + 1);
	else if (request->session)
		r = verb_find_logged(client, request->session, ret_id);
	else if (request->event >= 0)
		return proto_error_reply(PROTO_BAD_REQUEST, "an event needs its session", NULL);
	return r < 0 ? verb_no_session(r, request->session) : NULL;
}

void verb_why(struct client *client, const struct proto_request *request, struct session *own)
{
	char session[SESSION_ID_LENGTH + 1];
	struct why_question question;
	json_t *refusal = find_session(client, request, own, session);

	if (refusal) {
		client_reply(client, refusal);
		return;
	}
	daemon_catch_up(client->server->daemon);
	question = (struct why_question) {
		.session = session,
		.event = request->event,
		.blocks = own ? BLOCKS_MAX_SUPERVISED : BLOCKS_MAX,
		.may = session[0] ? NULL : may_see,
		.arg = client,
	};
	if (why_search_new(client->server->daemon->options->value[SETTING_LOG_DIR], &question,
			   &client->why) < 0)
		client_reply(client,
			     proto_error_reply(PROTO_INTERNAL, "cannot read the audit log", NULL));
}
