/* SPDX-License-Identifier: MPL-2.0 */
/* A review as clients and the audit log get it: see grith-protocol(7) and grith-audit(5). */
#include "review.h"

#define HUNDREDTHS 100.0
#define LOGGED_MAX 8192u /* bytes of an object in the log: an exec's own entry has all of it */
#define SHOWN_MAX 8192u /* bytes of a command line that clients are shown */

static const char *const bys[] = {
	[BY_TIMEOUT] = "timeout",	[BY_SCORE] = "score", [BY_ON_HOLD] = "--on-hold",
	[BY_REMEMBERED] = "remembered", [BY_LIMIT] = "limit",
};
_Static_assert(ARRAY_SIZE(bys) == BYS, "a word for each source of answers");

void answer_by_text(const struct answer *answer, char *ret_text, size_t size)
{
	const char *name = (unsigned int)answer->by < BYS ? bys[answer->by] : NULL;

	if (name)
		snprintf(ret_text, size, "%s", name);
	else
		snprintf(ret_text, size, "uid %u", answer->uid);
}

static json_t *time_to_json(uint64_t time)
{
	char text[JSON_TIME_SIZE];

	if (!time)
		return json_null();
	json_format_time(time, text);
	return json_string(text);
}

static json_t *text_to_json(const char *text)
{
	return json_of_bytes(text ? text : "", text ? strlen(text) : 0);
}

json_t *score_parts_to_json(const struct score *score)
{
	json_t *array = json_array();

	for (size_t i = 0; i < score->n_parts; i++) {
		const struct score_part *part = &score->parts[i];

		json_array_append_new(array, json_pack("{s:s, s:f, s:o}", "filter",
						       filter_name(part->filter), "score",
						       part->score / HUNDREDTHS, "why",
						       text_to_json(part->why)));
	}
	return array;
}

static json_t *flags_to_json(unsigned int flags)
{
	json_t *array = json_array();

	for (unsigned int bit = 1; bit <= UINT16_MAX; bit <<= 1)
		if ((flags & bit) && record_flag_name(bit))
			json_array_append_new(array, json_string(record_flag_name(bit)));
	return array;
}

static json_t *parents_to_json(const struct subject *subject)
{
	json_t *array = json_array();

	for (size_t i = 0; i < subject->n_parents; i++) {
		const struct subject_parent *parent = &subject->parents[i];

		json_array_append_new(array, json_pack("{s:I, s:o}", "pid", (json_int_t)parent->pid,
						       "program", text_to_json(parent->program)));
	}
	return array;
}

static json_t *command_to_json(struct record_bytes argv)
{
	json_t *array = json_array();

	if (argv.length > SHOWN_MAX)
		argv.length = SHOWN_MAX;
	for (size_t at = 0; at < argv.length && json_array_size(array) < PROTO_COMMAND_MAX;) {
		size_t length = strnlen(argv.data + at, argv.length - at);

		json_array_append_new(array, json_of_bytes(argv.data + at, length));
		at += length + 1;
	}
	return array;
}

/* Of an inspected program its path: the arguments are in "command". */
static int add_object(const struct review *review, json_t *json)
{
	const struct subject *subject = &review->subject;
	const struct record *record = &subject->record;
	OWNED_TEXT struct text object = { 0 };
	int r;

	if (subject_is_inspected(subject) && record->path.length)
		r = text_add(&object, record->path.data, record->path.length);
	else
		r = subject_add_shown(subject, &object);
	r = r ?: json_set_bytes(json, "object", object.data, object.length);
	if (r == 0 && record->second.length)
		r = json_set_bytes(json, "second", record->second.data, record->second.length);
	if (r < 0 || subject_kind(subject) != SUBJECT_ADDRESS)
		return r;
	if (subject->host)
		json_object_set_new(json, "host", json_string(subject->host));
	json_object_set_new(json, "address", json_string(subject->address));
	json_object_set_new(json, "port", json_integer(record->port));
	return 0;
}

/* The directory that an answer may be widened to: the object's own. */
static json_t *directory_to_json(const struct subject *subject)
{
	struct record_bytes path = subject->record.path;
	OWNED_MEM char *copy = strndup(path.data ? path.data : "", path.length);
	char *slash = copy ? strrchr(copy, '/') : NULL;

	if (subject_kind(subject) != SUBJECT_PATH || !slash || slash == copy)
		return json_null();
	*slash = '\0';
	if (!proto_path_valid(copy) || !subject_is_below(subject, copy) ||
	    !text_is_utf8(copy, strlen(copy)))
		return json_null();
	return json_string(copy);
}

static const char *once_covers(const struct review *review)
{
	if (review_burst(review))
		return "what the session does of this kind within a minute, unless something else "
		       "speaks against it";
	return review->held ? "the processes that wait now" : "the next try, within ten minutes";
}

static json_t *covers_to_json(const struct review *review)
{
	const struct subject *subject = &review->subject;
	const char *op = op_name(subject->record.head.op), *what = "this very object";

	if (subject_kind(subject) == SUBJECT_COMMAND)
		what = "this very command line";
	else if (subject_kind(subject) == SUBJECT_ADDRESS)
		what = subject->host ? "this host and port" : "this address and port";
	return json_pack("{s:s, s:o, s:o, s:o}", "once", once_covers(review), "session",
			 json_sprintf("every %s of %s in this session", op, what), "always",
			 subject_kind(subject) == SUBJECT_OTHER
				 ? json_string("cannot be: the object has no lasting name")
				 : json_sprintf("every %s of %s in later sessions with this "
						"profile, too",
						op, what),
			 "directory", directory_to_json(subject));
}

static json_t *answer_to_json(const struct review *review)
{
	const struct answer *answer = &review->answer;
	char by[32];

	answer_by_text(answer, by, sizeof(by));
	return json_pack("{s:s, s:s, s:s, s:o, s:s*}", "verdict", verdict_name(answer->verdict),
			 "for", proto_scope_name(answer->scope), "by", by, "time",
			 time_to_json(review->answered), "directory", answer->directory);
}

static size_t processes_of(const struct review *review)
{
	const struct hold *hold;
	size_t count = 0;

	TAILQ_FOREACH(hold, &review->holds, link)
	count++;
	return count;
}

/* Who asks, and why. */
static int add_who_and_why(const struct review *review, json_t *json)
{
	const struct subject *subject = &review->subject;
	json_t *part = json_pack(
		"{s:o, s:I, s:o, s:o, s:b, s:o*, s:o*, s:f, s:{s:f, s:f}, s:o, s:o*}", "flags",
		flags_to_json(subject->record.head.flags), "pid",
		(json_int_t)subject->record.head.pid, "program", text_to_json(subject->program),
		"parents", parents_to_json(subject), "judged", subject_is_inspected(subject),
		"rule", subject->rule ? text_to_json(subject->rule) : NULL, "reason",
		subject->reason ? text_to_json(subject->reason) : NULL, "score",
		review->score.total / HUNDREDTHS, "thresholds", "hold",
		review->threshold_hold / HUNDREDTHS, "deny", review->threshold_deny / HUNDREDTHS,
		"parts", score_parts_to_json(&review->score), "command",
		subject->argv.length ? command_to_json(subject->argv) : NULL);

	return json_object_update_new(json, part) < 0 ? -ENOMEM : 0;
}

static json_t *step_to_json(const struct flow_step *step)
{
	struct event_head now = event_now(NULL);
	char time[JSON_TIME_SIZE];
	json_t *json;

	json_format_time(step->time + (now.time - now.mono), time);
	json = json_pack("{s:s, s:s, s:I}", "time", time, "what", flow_how_name(step->how), "pid",
			 (json_int_t)step->pid);
	if (json && step->object)
		json_set_bytes(json, "object", step->object, strlen(step->object));
	if (json && step->program)
		json_set_bytes(json, "program", step->program, strlen(step->program));
	return json;
}

/* How its process came by a secret: "chain" in grith-audit(5). NULL: not known of. */
static json_t *chain_to_json(const struct review *review)
{
	struct flow_chain chain;
	json_t *array;

	if (!review->session ||
	    !reviews_chain(review->reviews, review->session, &review->subject.record.head, &chain))
		return NULL;
	array = json_array();
	if (chain.forgotten)
		json_array_append_new(array, json_pack("{s:s}", "what", "forgotten"));
	for (size_t i = 0; i < chain.n_steps; i++) {
		json_array_append_new(array, step_to_json(&chain.steps[i]));
		if (i == 0 && chain.omitted)
			json_array_append_new(array, json_pack("{s:s}", "what", "omitted"));
	}
	return array;
}

/* How far it has come, and what an answer would cover. */
static int add_course(const struct review *review, json_t *json)
{
	json_t *part =
		json_pack("{s:I, s:o, s:o, s:o*, s:o, s:o*, s:o*}", "processes",
			  (json_int_t)processes_of(review), "asked", time_to_json(review->asked),
			  "expires", time_to_json(review->expires), "asks",
			  review_burst(review) ? burst_to_json(review) : NULL, "covers",
			  covers_to_json(review), "chain", chain_to_json(review), "answer",
			  review->answer.by != BY_NOBODY ? answer_to_json(review) : NULL);

	return json_object_update_new(json, part) < 0 ? -ENOMEM : 0;
}

json_t *review_to_json(const struct review *review)
{
	json_t *json =
		json_pack("{s:I, s:s, s:s, s:s, s:b, s:s}", "id", (json_int_t)review->id, "session",
			  review->session_id, "session_name", review->session_name, "state",
			  proto_state_name(review->state), "held", review->held, "op",
			  op_name(review->subject.record.head.op));

	if (json && add_object(review, json) == 0 && add_who_and_why(review, json) == 0 &&
	    add_course(review, json) == 0)
		return json;
	json_decref(json);
	return NULL;
}

void review_log(const struct review *review)
{
	const struct subject *subject = &review->subject;
	const struct answer *answer = &review->answer;
	OWNED_TEXT struct text object = { 0 };
	char by[32] = "";
	struct event_review event = {
		.state = review->state == PROTO_WAITING ? "asked" : proto_state_name(review->state),
		.review = review->id,
		.op = op_name(subject->record.head.op),
		.second = subject->record.second,
		.rule = subject->rule,
		.reason = subject->reason,
		.score = &review->score,
		.pid = subject->record.head.pid,
		.program = subject->program,
	};
	struct event_session wrapped = {
		.head = event_now(review->session_id),
		.review = &event,
	};

	if (subject_add_shown(subject, &object) == 0)
		event.object = (struct record_bytes) {
			object.data,
			object.length < LOGGED_MAX ? object.length : LOGGED_MAX,
		};
	if (answer->by != BY_NOBODY) {
		answer_by_text(answer, by, sizeof(by));
		event.verdict = verdict_name(answer->verdict);
		event.scope = proto_scope_name(answer->scope);
		event.by = by;
		event.directory = answer->directory;
	}
	audit_log_session(review->reviews->audit->log, &wrapped);
}
