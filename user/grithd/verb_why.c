/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The `why` request: one entry of the log, found from the log's end, with what is known of it that
 * the log does not say: the rule's own words, what tainted the session, and what could be done.
 */
#include <string.h>

#include "audit_log.h"
#include "daemon.h"
#include "json_write.h"
#include "lines_back.h"
#include "log_filter.h"
#include "review_hex.h"
#include "review_recent.h"
#include "reviews.h"
#include "review_rule.h"
#include "server.h"
#include "verbs.h"

#define SEARCH_MAX (64 << 20) /* bytes of the log, from its end: grithd waits for it */
#define LINE_MAX_SHOWN (256u << 10) /* bytes of an entry */

/* What is looked for. */
struct wanted {
	struct client *client; /* whose sessions; NULL: only that of `session` */
	char session[SESSION_ID_LENGTH + 1]; /* empty: any that the client may see */
	int64_t event; /* -1: the last one that was refused or held */
};

static bool is_refusal(const char *line)
{
	return strstr(line, "\"verdict\":\"deny\"") || strstr(line, "\"verdict\":\"hold\"") ||
	       strstr(line, "\"verdict\":\"hide\"");
}

static bool is_wanted(const struct wanted *wanted, const char *line, size_t length)
{
	struct log_head head;

	if (!log_head_parse(line, length, &head) || head.sequence == UINT64_MAX)
		return false;
	if (wanted->session[0] ? strcmp(wanted->session, head.session) != 0
			       : !verb_may_see(wanted->client, head.session))
		return false;
	if (wanted->event >= 0)
		return head.sequence == (uint64_t)wanted->event;
	return is_refusal(line);
}

/* NULL: it is not there. */
static json_t *search(const struct wanted *wanted, int fd)
{
	off_t end = lseek(fd, 0, SEEK_END);
	OWNED_LINES_BACK struct lines_back lines = { .offset = end < 0 ? 0 : end };
	const char *line;
	size_t length;
	off_t at;

	do {
		while (lines_back_next(&lines, &line, &length, &at)) {
			OWNED_MEM char *copy = NULL;

			if (length > LINE_MAX_SHOWN)
				continue;
			copy = strndup(line, length);
			if (copy && is_wanted(wanted, copy, length))
				return json_loadb(copy, length, 0, NULL);
		}
	} while (end - lines.offset < SEARCH_MAX &&
		 lines_back_read(&lines, fd, AUDIT_LINE_MAX) > 0);
	return NULL;
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

static json_t *parts_of(const struct session *session, const json_t *event)
{
	json_int_t sequence = json_integer_value(json_object_get(event, "seq"));
	json_t *logged = json_object_get(event, "parts");
	const struct score *score =
		session ? recent_score(session->recent, (uint64_t)sequence) : NULL;

	if (score)
		return score_parts_to_json(score);
	return logged ? json_incref(logged) : json_array();
}

static json_t *explain(struct daemon *daemon, json_t *event)
{
	const struct session *session =
		sessions_find_id(&daemon->sessions, field(event, "session"));
	OWNED_TEXT struct text rule_text = { 0 };
	json_t *why =
		json_pack("{s:O, s:s, s:o, s:o, s:o}", "event", event, "rule", field(event, "rule"),
			  "parts", parts_of(session, event), "chain",
			  session ? chain_to_json(session, field(event, "time")) : json_array(),
			  "allow", ways_to_allow(daemon, event));

	if (why && rule_text_read(daemon->options->value[SETTING_POLICY_DIR], field(event, "rule"),
				  &rule_text) == 0)
		json_object_set_new(why, "rule_text",
				    json_of_bytes(rule_text.data, rule_text.length));
	return why;
}

static json_t *reply_found(struct daemon *daemon, json_t *event)
{
	json_t *reply = proto_ok_reply();

	if (!event) {
		json_decref(reply);
		return proto_error_reply(PROTO_NOT_FOUND,
					 "there is no such entry in the last 64 MiB of the log",
					 NULL);
	}
	if (reply && json_object_set_new(reply, "why", explain(daemon, event)) < 0) {
		json_decref(reply);
		reply = NULL;
	}
	json_decref(event);
	return reply;
}

/* Only its own, under either of its names. */
static bool is_own(const struct session *own, const char *name)
{
	return !name || !strcmp(name, own->info.id) || !strcmp(name, own->info.name);
}

json_t *verb_why(struct client *client, const struct proto_request *request, struct session *own)
{
	struct daemon *daemon = client->server->daemon;
	struct wanted wanted = { .client = client, .event = request->event };
	OWNED_FD int fd = -1;
	int r = 0;

	if (own && !is_own(own, request->session))
		return proto_error_reply(PROTO_DENIED,
					 "a supervised process may ask about its own session only",
					 NULL);
	if (own)
		memcpy(wanted.session, own->info.id, sizeof(wanted.session));
	else if (request->session)
		r = verb_find_logged(client, request->session, wanted.session);
	else if (request->event >= 0)
		return proto_error_reply(PROTO_BAD_REQUEST, "an event needs its session", NULL);
	if (r < 0)
		return verb_no_session(r, request->session);
	daemon_catch_up(daemon);
	fd = audit_log_open_reader(daemon->audit);
	if (fd < 0)
		return proto_error_reply(PROTO_INTERNAL, "cannot read the audit log", NULL);
	return reply_found(daemon, search(&wanted, fd));
}
