/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The `why` request: one entry of the log with what is known of it that the log does not say: the
 * rule's own words, what tainted the session, and what could be done.
 */
#include "internal.h"

/* One request's search. */
struct asking {
	struct visibility visibility;
	struct why_search *search;
};

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
	size_t count = recent_sources(session->review->recent, &sources);
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
	const char *rule = field(event, "rule"), *op = field(event, "op");

	if (json_object_get(event, "known_as"))
		json_array_append_new(
			array, json_sprintf("%s is %s under another name, by a mount that the "
					    "session made: rules are about the latter",
					    field(event, "known_as"), field(event, "path")));
	if (json_object_get(event, "move")) {
		json_array_append_new(
			array,
			json_string("the two names must allow the same, or the new name less: copy "
				    "what may be read to where it may be written"));
		return;
	}
	if (!strcmp(op, "mount") || !strcmp(op, "namespace")) {
		json_array_append_new(
			array,
			json_string("where a session started, mounts stay as they are; in "
				    "namespaces of its own `namespaces: allow` lets it mount"));
		return;
	}
	if (!strcmp(rule, "default"))
		json_array_append_new(
			array,
			json_sprintf("no rule matches: add one that allows %s to the policy", op));
	else
		json_array_append_new(array,
				      json_sprintf("add a rule that allows %s after %s, or change "
						   "that one; nothing after a `final` rule can",
						   op, rule));
}

static json_t *ways_to_allow(const struct reviews *reviews, const json_t *event)
{
	const char *session = field(event, "session");
	const struct review *review;
	json_t *array;

	if (!strcmp(field(event, "verdict"), "allow"))
		return json_pack("[s]", "it was allowed");
	array = json_array();
	TAILQ_FOREACH(review, &reviews->waiting, link)
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
		session ? recent_score(session->review->recent, (uint64_t)sequence) : NULL;

	if (score)
		return score_parts_to_json(score);
	return logged ? json_incref(logged) : json_array();
}

static json_t *explain(const struct verbs *verbs, json_t *event, json_t *review)
{
	const struct session *session = sessions_find_id(verbs->sessions, field(event, "session"));
	OWNED_TEXT struct text rule_text = { 0 };
	bool has_text = rule_text_read(verbs->policy_dir, field(event, "rule"), &rule_text) == 0;

	return json_pack("{s:O, s:s, s:o, s:o, s:o, s:O*, s:o*}", "event", event, "rule",
			 field(event, "rule"), "parts", parts_of(session, event, review), "chain",
			 session ? chain_to_json(session, field(event, "time")) : json_array(),
			 "allow", ways_to_allow(verbs->reviews, event), "review", review,
			 "rule_text",
			 has_text ? json_of_bytes(rule_text.data, rule_text.length) : NULL);
}

static json_t *reply_not_found(bool is_short)
{
	return proto_error_reply(PROTO_NOT_FOUND,
				 is_short ? "there is no such entry in the last part of the log"
					  : "there is no such entry in the log",
				 NULL);
}

static void asking_free(void *job)
{
	struct asking *asking = job;

	why_search_free(asking->search);
	free(asking);
}

static int asking_step(struct client *client, void *job)
{
	const struct asking *asking = job;
	const struct why_search *search = asking->search;
	bool done = false;
	int r = why_search_step(asking->search, &done);

	client->active = clock_mono();
	if (r == 0 && !done)
		return 0;
	if (r < 0)
		client_reply(client,
			     proto_error_reply(PROTO_INTERNAL, "cannot read the audit log", NULL));
	else if (why_search_event(search))
		client_reply(client, reply_with("why", explain(asking->visibility.verbs,
							       why_search_event(search),
							       why_search_review(search))));
	else
		client_reply(client, reply_not_found(why_search_is_short(search)));
	client_end_job(client);
	return 0;
}

static const struct job_ops asking_ops = { .step = asking_step, .free = asking_free };

/* Only its own, under either of its names. */
static bool is_own(const struct session *own, const char *name)
{
	return !name || !strcmp(name, own->info.id) || !strcmp(name, own->info.name);
}

/* Which session is meant: NULL, or a refusal. */
static json_t *find_session(const struct visibility *visibility,
			    const struct proto_request *request, const struct session *own,
			    char ret_id[SESSION_ID_LENGTH + 1])
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
		r = visibility_find(visibility, request->session, ret_id);
	else if (request->event >= 0)
		return reply_bad_request("an event needs its session");
	return r < 0 ? reply_no_session(r, request->session) : NULL;
}

/* NULL, or why there is nothing to look for. */
static json_t *start_search(struct asking *asking, const struct proto_request *request,
			    const struct session *own)
{
	char session[SESSION_ID_LENGTH + 1];
	const struct verbs *verbs = asking->visibility.verbs;
	json_t *refusal = find_session(&asking->visibility, request, own, session);
	struct why_question question = {
		.session = session,
		.event = request->event,
		.blocks = own ? WHY_BLOCKS_MAX_SUPERVISED : WHY_BLOCKS_MAX,
		.may = session[0] ? NULL : visibility_allows,
		.arg = &asking->visibility,
	};

	if (refusal)
		return refusal;
	intake_refresh(verbs->intake);
	if (why_search_new(verbs->log_dir, &question, &asking->search) < 0)
		return proto_error_reply(PROTO_INTERNAL, "cannot read the audit log", NULL);
	return NULL;
}

void verb_why(struct verbs *verbs, struct client *client, const struct proto_request *request,
	      struct session *own)
{
	struct asking *asking = calloc(1, sizeof(*asking));
	json_t *refusal;

	if (!asking) {
		client_reply(client, NULL);
		return;
	}
	asking->visibility = (struct visibility) { .verbs = verbs, .uid = client->peer.uid };
	refusal = start_search(asking, request, own);
	if (refusal) {
		client_reply(client, refusal);
		asking_free(asking);
	} else {
		client_start_job(client, &asking_ops, asking, true);
	}
}
