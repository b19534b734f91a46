/* SPDX-License-Identifier: MPL-2.0 */
/*
 * In the order of the questions: what was decided, by which rule, what the score is made of, how a
 * secret came to the process, what the session read before, and how it could be allowed.
 */
#include "grith/log/log.h"
#include "view.h"

#define LABEL 11

/* The words claim no more than the record: that a file was opened, not what was done with it. */
static const struct {
	const char *what, *between;
} steps[] = {
	{ "read", " read " },
	{ "wrote", " could write to " },
	{ "started", ", started from " },
	{ "named", " has an argument that names " },
	{ "moved", " gave another name to " },
	{ "left", ", of a parent that is not known, perhaps " },
	{ "returned", " may have what was printed by its child " },
};

static void add_or(struct line *out, const json_t *object, const char *key, const char *otherwise)
{
	if (*member_string(object, key))
		line_add_member(out, object, key);
	else
		line_add(out, otherwise);
}

void view_chain_step(struct line *out, const json_t *step)
{
	const char *what = member_string(step, "what");
	size_t i = 0;

	while (i < ARRAY_SIZE(steps) && strcmp(what, steps[i].what) != 0)
		i++;
	if (i < ARRAY_SIZE(steps)) {
		add_or(out, step, "program", "a process");
		line_addf(out, "[%lld]%s", (long long)member_integer(step, "pid"),
			  steps[i].between);
		add_or(out, step, "object", "something unknown");
	} else {
		line_add(out, !strcmp(what, "forgotten") ? "(what was before is not known any more)"
							 : "(more steps)");
	}
}

void view_score_part(struct line *out, const json_t *part)
{
	line_addf(out, "%+.2f  ", member_number(part, "score"));
	add_or(out, part, "filter", "?");
	line_add(out, "  ");
	line_add_member(out, part, "why");
}

static void add(struct line *out, const char *label, const struct line *value)
{
	if (value->r < 0)
		out->r = value->r;
	if (*line_text(value))
		line_addf(out, "%-*s%s\n", LABEL, label, line_text(value));
}

/* A line for each entry, the first one with the label. */
static void add_each(struct line *out, const char *label, const json_t *entries,
		     void (*view)(struct line *out, const json_t *entry))
{
	const json_t *entry;
	size_t i;

	json_array_foreach (entries, i, entry) {
		OWNED_LINE struct line line = { .out = &line.own };

		view(&line, entry);
		add(out, i ? "" : label, &line);
	}
}

static void add_rule(struct line *out, const json_t *why)
{
	const json_t *event = json_object_get(why, "event");
	OWNED_LINE struct line rule = { .out = &rule.own }, text = { .out = &text.own };

	line_add_member(&rule, why, "rule");
	if (rule.own.length && json_is_string(json_object_get(event, "reason"))) {
		line_add(&rule, " (");
		line_add_member(&rule, event, "reason");
		line_add(&rule, ")");
	}
	add(out, "rule", &rule);
	line_add_member(&text, why, "rule_text");
	add(out, "", &text);
}

/* "denied for once by --on-hold", of what was held and then answered. */
static void add_answer(struct line *out, const json_t *why)
{
	const json_t *review = json_object_get(why, "review");
	OWNED_LINE struct line line = { .out = &line.own };

	if (!review)
		return;
	line_add_member(&line, review, "state");
	line_add(&line, " for ");
	line_add_member(&line, review, "for");
	line_add(&line, " by ");
	line_add_member(&line, review, "by");
	add(out, "answer", &line);
}

static void add_score(struct line *out, const json_t *why)
{
	const json_t *review = json_object_get(why, "review");
	double score = member_number(review ? review : json_object_get(why, "event"), "score");
	const json_t *parts = json_object_get(why, "parts");

	if (json_array_size(parts) || score != 0)
		line_addf(out, "%-*s%.2f\n", LABEL, "score", score);
	add_each(out, "", parts, view_score_part);
}

static void add_timed_step(struct line *line, const json_t *step)
{
	int64_t time;

	if (moment_parse(member_string(step, "time"), &time) == 0) {
		line_add_moment(line, time);
		line_add(line, "  ");
	}
	view_chain_step(line, step);
}

static void add_before(struct line *line, const json_t *link)
{
	int64_t time = -1;

	moment_parse(member_string(link, "time"), &time);
	line_add_moment(line, time);
	line_add(line, "  ");
	line_add_member(line, link, "text");
}

/* As the line of the log that it was. */
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
	const json_t *event = json_object_get(why, "event");
	struct line line = { .out = out };

	line.r = add_event(out, event, term);
	add_rule(&line, why);
	add_answer(&line, why);
	add_score(&line, why);
	add_each(&line, "secret", json_object_get(event, "chain"), add_timed_step);
	add_each(&line, "before it", json_object_get(why, "chain"), add_before);
	add_each(&line, "to allow", json_object_get(why, "allow"), line_add_string);
	return line.r;
}
