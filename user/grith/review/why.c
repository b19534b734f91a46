/* SPDX-License-Identifier: MPL-2.0 */
/*
 * In the order of the questions: what was decided, by which rule, what the score is made of, how a
 * secret came to the process, what the session read before, and how it could be allowed.
 */
#include <string.h>

#include "grith/log/log.h"
#include "chain.h"
#include "why.h"

#define LABEL 11

static int add(struct text *out, const char *label, const char *value)
{
	return value && *value ? text_addf(out, "%-*s%s\n", LABEL, label, value) : 0;
}

static int add_rule(struct text *out, const json_t *why)
{
	const json_t *event = json_object_get(why, "event");
	OWNED_TEXT struct text rule = { 0 }, text = { 0 };
	int r = shown_add(&rule, why, "rule");

	if (r == 0 && rule.length && json_is_string(json_object_get(event, "reason"))) {
		r = text_addf(&rule, " (");
		if (r == 0)
			r = shown_add(&rule, event, "reason");
		if (r == 0)
			r = text_addf(&rule, ")");
	}
	if (r == 0)
		r = add(out, "rule", rule.data);
	if (r == 0)
		r = shown_add(&text, why, "rule_text");
	return r < 0 ? r : add(out, "", text.data);
}

/* "denied for once by --on-hold", of what was held and then answered. */
static int add_answer(struct text *out, const json_t *why)
{
	const json_t *review = json_object_get(why, "review");
	OWNED_TEXT struct text line = { 0 };
	int r;

	if (!review)
		return 0;
	r = shown_add(&line, review, "state");
	r = r < 0 ? r : text_addf(&line, " for ");
	r = r < 0 ? r : shown_add(&line, review, "for");
	r = r < 0 ? r : text_addf(&line, " by ");
	r = r < 0 ? r : shown_add(&line, review, "by");
	return r < 0 ? r : add(out, "answer", line.data);
}

static int add_score(struct text *out, const json_t *why)
{
	const json_t *review = json_object_get(why, "review");
	const json_t *score =
		json_object_get(review ? review : json_object_get(why, "event"), "score");
	const json_t *parts = json_object_get(why, "parts"), *part;
	size_t i;
	int r = 0;

	if (json_array_size(parts) || json_number_value(score) != 0)
		r = text_addf(out, "%-*s%.2f\n", LABEL, "score", json_number_value(score));
	json_array_foreach (parts, i, part) {
		OWNED_TEXT struct text line = { 0 };

		if (r == 0)
			r = text_addf(&line, "%+.2f  ",
				      json_number_value(json_object_get(part, "score")));
		if (r == 0)
			r = shown_add(&line, part, "filter");
		if (r == 0)
			r = text_addf(&line, "  ");
		if (r == 0)
			r = shown_add(&line, part, "why");
		if (r == 0)
			r = add(out, "", line.data);
	}
	return r;
}

/* How the very process came by a secret. */
static int add_flow(struct text *out, const json_t *why)
{
	const json_t *step;
	size_t i;
	int r = 0;

	json_array_foreach (json_object_get(json_object_get(why, "event"), "chain"), i, step) {
		OWNED_TEXT struct text line = { 0 };
		int64_t time = -1;

		if (moment_parse(shown_string(step, "time"), &time) == 0) {
			r = r < 0 ? r : moment_add(&line, time);
			r = r < 0 ? r : text_addf(&line, "  ");
		}
		r = r < 0 ? r : view_chain_step(step, &line);
		r = r < 0 ? r : add(out, i ? "" : "secret", line.data);
	}
	return r;
}

static int add_chain(struct text *out, const json_t *why)
{
	const json_t *link;
	size_t i;
	int r = 0;

	json_array_foreach (json_object_get(why, "chain"), i, link) {
		OWNED_TEXT struct text line = { 0 };
		int64_t time = -1;

		moment_parse(shown_string(link, "time"), &time);
		if (r == 0)
			r = moment_add(&line, time);
		if (r == 0)
			r = text_addf(&line, "  ");
		if (r == 0)
			r = shown_add(&line, link, "text");
		if (r == 0)
			r = add(out, i ? "" : "before it", line.data);
	}
	return r;
}

static int add_allow(struct text *out, const json_t *why)
{
	const json_t *way;
	size_t i;
	int r = 0;

	json_array_foreach (json_object_get(why, "allow"), i, way) {
		OWNED_TEXT struct text line = { 0 };

		if (!json_is_string(way))
			continue;
		if (r == 0)
			r = text_add_escaped(&line, json_string_value(way),
					     json_string_length(way));
		if (r == 0)
			r = add(out, i ? "" : "to allow", line.data);
	}
	return r;
}

/* As a line of the log, which is what it was. */
static int add_event(struct text *out, const json_t *event, const struct term *term)
{
	OWNED_LOG_EVENT_READER struct log_event_reader reader = { 0 };
	struct moment_memory memory = { 0 };
	OWNED_MEM char *line = json_dumps(event, JSON_COMPACT | JSON_REAL_PRECISION(12));
	struct log_event read;
	int r = line ? log_event_read(&reader, line, strlen(line), &read) : -EBADMSG;

	if (r == -EBADMSG)
		return text_addf(out, "(an entry that this grith cannot read)\n");
	return r < 0 ? r : view_event(&read, term, &memory, out);
}

int view_why(const json_t *why, const struct term *term, struct text *out)
{
	int r = add_event(out, json_object_get(why, "event"), term);

	if (r == 0)
		r = add_rule(out, why);
	if (r == 0)
		r = add_answer(out, why);
	if (r == 0)
		r = add_score(out, why);
	if (r == 0)
		r = add_flow(out, why);
	if (r == 0)
		r = add_chain(out, why);
	return r < 0 ? r : add_allow(out, why);
}
