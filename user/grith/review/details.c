/* SPDX-License-Identifier: MPL-2.0 */
/*
 * One review, with all that a person needs for an answer: what, by whom, why it was held, and what
 * each answer would cover. What the agent chose is never allowed to push the rest out of sight.
 */
#include <string.h>

#include "grith/base/base.h"
#include "chain.h"
#include "view.h"

#define SHORT_LINES 3 /* of one value, unless all of it is asked for */
#define PARENTS 6

/* Where the details of one review go to. */
struct details {
	struct picture *picture;
	unsigned int columns;
	unsigned int most; /* lines of one value */
	int r;
};

static void add(struct details *details, const char *label, const char *value)
{
	if (details->r == 0 && value)
		details->r = picture_add_value(details->picture, label, value, details->columns,
					       details->most);
}

static void add_key(struct details *details, const char *label, const json_t *object,
		    const char *key)
{
	OWNED_TEXT struct text value = { 0 };

	if (details->r == 0)
		details->r = shown_add(&value, object, key);
	add(details, label, value.data);
}

static void add_what(struct details *details, const json_t *review)
{
	OWNED_TEXT struct text op = { 0 };

	if (details->r == 0)
		details->r = shown_add(&op, review, "op");
	add_key(details, op.data ? op.data : "?", review, "object");
	add_key(details, "  and", review, "second");
	add_key(details, "asks", review, "asks");
}

static void add_process(struct text *line, const json_t *process)
{
	shown_add(line, process, "program");
	text_addf(line, " [%lld]", (long long)shown_integer(process, "pid"));
}

static void add_who(struct details *details, const json_t *review)
{
	const json_t *parents = json_object_get(review, "parents"), *parent;
	OWNED_TEXT struct text program = { 0 }, line = { 0 }, command = { 0 };
	size_t i;

	add_process(&program, review);
	add(details, "program", program.data);
	json_array_foreach (parents, i, parent) {
		if (i == PARENTS) {
			text_addf(&line, " < ...");
			break;
		}
		text_addf(&line, i ? " < " : "");
		add_process(&line, parent);
	}
	add(details, "  of", line.data);
	if (details->r == 0)
		details->r = shown_add_command(&command, json_object_get(review, "command"));
	add(details, "command", command.data);
}

int view_score_parts(const json_t *parts, const char *label, unsigned int columns,
		     struct picture *picture)
{
	const json_t *part;
	size_t i;
	int r = 0;

	json_array_foreach (parts, i, part) {
		OWNED_TEXT struct text line = { 0 }, filter = { 0 };

		if (r == 0)
			r = shown_add(&filter, part, "filter");
		if (r == 0)
			r = text_addf(&line, "%+.2f  %s  ",
				      json_number_value(json_object_get(part, "score")),
				      filter.data ? filter.data : "?");
		if (r == 0)
			r = shown_add(&line, part, "why");
		if (r == 0)
			r = picture_add_value(picture, i ? "" : label, line.data, columns, 2);
	}
	return r;
}

static void add_score(struct details *details, const json_t *review)
{
	const json_t *thresholds = json_object_get(review, "thresholds");
	OWNED_TEXT struct text line = { 0 }, rule = { 0 };

	shown_add(&rule, review, "rule");
	if (json_is_string(json_object_get(review, "reason"))) {
		text_addf(&rule, rule.length ? " (" : "(");
		shown_add(&rule, review, "reason");
		text_addf(&rule, ")");
	}
	add(details, "rule", rule.data);
	text_addf(&line, "%.2f: held above %.2f, denied above %.2f",
		  json_number_value(json_object_get(review, "score")),
		  json_number_value(json_object_get(thresholds, "hold")),
		  json_number_value(json_object_get(thresholds, "deny")));
	add(details, "score", line.data);
	if (details->r == 0)
		details->r = view_score_parts(json_object_get(review, "parts"), "",
					      details->columns, details->picture);
}

static void add_flow(struct details *details, const json_t *review)
{
	const json_t *step;
	size_t i;

	json_array_foreach (json_object_get(review, "chain"), i, step) {
		OWNED_TEXT struct text line = { 0 };

		if (details->r == 0)
			details->r = view_chain_step(step, &line);
		add(details, i ? "" : "secret", line.data);
	}
}

static void add_covers(struct details *details, const json_t *review)
{
	const json_t *covers = json_object_get(review, "covers");

	add_key(details, "once", covers, "once");
	add_key(details, "session", covers, "session");
	add_key(details, "always", covers, "always");
	add_key(details, "directory", covers, "directory");
}

static void add_state(struct details *details, const json_t *review, int64_t now)
{
	const json_t *given = json_object_get(review, "answer");
	OWNED_TEXT struct text line = { 0 }, left = { 0 };
	int64_t processes = shown_integer(review, "processes"), asked;

	if (!review_waits(review)) {
		shown_add(&line, review, "state");
		if (json_is_object(given)) {
			text_addf(&line, " by ");
			shown_add(&line, given, "by");
			text_addf(&line, ", for ");
			shown_add(&line, given, "for");
		}
		add(details, "answer", line.data);
		return;
	}
	if (json_is_true(json_object_get(review, "held")))
		text_addf(&line, "%lld process%s stopped", (long long)processes,
			  processes == 1 ? "" : "es");
	else
		text_addf(&line, "refused, could not be held: the answer is for the next try");
	if (json_is_true(json_object_get(review, "judged")))
		text_addf(&line, " before its first instruction");
	if (moment_parse(shown_string(review, "asked"), &asked) == 0) {
		text_addf(&line, ", for ");
		moment_add_span(&line, now - asked);
	}
	view_review_left(&left, review, now);
	if (left.data && strcmp(left.data, "-") != 0)
		text_addf(&line, ", denied in %s", left.data);
	add(details, "waits", line.data);
}

static void add_flags(struct details *details, const json_t *review)
{
	OWNED_TEXT struct text line = { 0 };
	const json_t *flag;
	size_t i;

	json_array_foreach (json_object_get(review, "flags"), i, flag) {
		if (!json_is_string(flag))
			continue;
		text_addf(&line, line.length ? ", " : "");
		text_add_escaped(&line, json_string_value(flag), json_string_length(flag));
	}
	add(details, "flags", line.data);
}

int view_review_details(const json_t *review, unsigned int columns, bool whole, int64_t now,
			struct picture *picture)
{
	struct details details = {
		.picture = picture,
		.columns = columns,
		.most = whole ? 1000 : SHORT_LINES,
	};

	add_what(&details, review);
	add_who(&details, review);
	add_score(&details, review);
	add_flow(&details, review);
	add_state(&details, review, now);
	add_covers(&details, review);
	add_flags(&details, review);
	return details.r;
}
