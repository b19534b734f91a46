/* SPDX-License-Identifier: MPL-2.0 */
/*
 * One review, with all that a person needs for an answer: what, by whom, why it was held, and what
 * each answer would cover. What the agent chose is never allowed to push the rest out of sight.
 */
#include "view.h"

#define SHORT_LINES 3 /* of one value, unless long values are shown whole */
#define PARENTS 6

static void add_what(struct details *details, const json_t *review)
{
	OWNED_LINE struct line op = { .out = &op.own };

	line_add_member(&op, review, "op");
	details_add_member(details, op.own.length ? line_text(&op) : "?", review, "object");
	details_add_member(details, "  and", review, "second");
	details_add_member(details, "asks", review, "asks");
}

static void add_process(struct line *line, const json_t *process)
{
	line_add_member(line, process, "program");
	line_addf(line, " [%lld]", (long long)member_integer(process, "pid"));
}

static void add_who(struct details *details, const json_t *review)
{
	const json_t *parents = json_object_get(review, "parents"), *parent;
	OWNED_LINE struct line program = { .out = &program.own }, line = { .out = &line.own };
	OWNED_LINE struct line command = { .out = &command.own };
	size_t i;

	add_process(&program, review);
	details_add(details, "program", &program);
	json_array_foreach (parents, i, parent) {
		if (i == PARENTS) {
			line_add(&line, " < ...");
			break;
		}
		line_add(&line, i ? " < " : "");
		add_process(&line, parent);
	}
	details_add(details, "  of", &line);
	line_add_command(&command, json_object_get(review, "command"));
	details_add(details, "command", &command);
}

/* A value for each entry, the first one with the label. */
static void add_each(struct details *details, const char *label, const json_t *entries,
		     void (*view)(struct line *out, const json_t *entry))
{
	const json_t *entry;
	size_t i;

	json_array_foreach (entries, i, entry) {
		OWNED_LINE struct line line = { .out = &line.own };

		view(&line, entry);
		details_add(details, i ? "" : label, &line);
	}
}

void view_score_parts(const json_t *parts, struct details *details)
{
	struct details two_lines = *details;

	two_lines.most = 2;
	add_each(&two_lines, "", parts, view_score_part);
}

static void add_score(struct details *details, const json_t *review)
{
	const json_t *thresholds = json_object_get(review, "thresholds");
	OWNED_LINE struct line rule = { .out = &rule.own };

	line_add_member(&rule, review, "rule");
	if (json_is_string(json_object_get(review, "reason"))) {
		line_add(&rule, rule.own.length ? " (" : "(");
		line_add_member(&rule, review, "reason");
		line_add(&rule, ")");
	}
	details_add(details, "rule", &rule);
	details_addf(details, "score", "%.2f: held above %.2f, denied above %.2f",
		     member_number(review, "score"), member_number(thresholds, "hold"),
		     member_number(thresholds, "deny"));
	view_score_parts(json_object_get(review, "parts"), details);
}

static void add_answer(struct details *details, const json_t *review)
{
	const json_t *given = json_object_get(review, "answer");
	OWNED_LINE struct line line = { .out = &line.own };

	line_add_member(&line, review, "state");
	if (json_is_object(given)) {
		line_add(&line, " by ");
		line_add_member(&line, given, "by");
		line_add(&line, ", for ");
		line_add_member(&line, given, "for");
	}
	details_add(details, "answer", &line);
}

static void add_wait(struct details *details, const json_t *review, int64_t now)
{
	OWNED_LINE struct line line = { .out = &line.own };
	int64_t processes = member_integer(review, "processes"), asked, expires;

	if (member_true(review, "held"))
		line_addf(&line, "%lld process%s stopped", (long long)processes,
			  processes == 1 ? "" : "es");
	else
		line_add(&line, "refused, could not be held: the answer is for the next try");
	if (member_true(review, "judged"))
		line_add(&line, " before its first instruction");
	if (moment_parse(member_string(review, "asked"), &asked) == 0) {
		line_add(&line, ", for ");
		line_add_span(&line, now - asked);
	}
	if (moment_parse(member_string(review, "expires"), &expires) == 0) {
		line_add(&line, ", denied in ");
		line_add_span(&line, expires - now);
	}
	details_add(details, "waits", &line);
}

static void add_flags(struct details *details, const json_t *review)
{
	OWNED_LINE struct line line = { .out = &line.own };
	const json_t *flag;
	size_t i;

	json_array_foreach (json_object_get(review, "flags"), i, flag) {
		line_add(&line, json_is_string(flag) && line.own.length ? ", " : "");
		line_add_string(&line, flag);
	}
	details_add(details, "flags", &line);
}

int view_review_details(const json_t *review, unsigned int columns, bool whole, int64_t now,
			struct picture *picture)
{
	static const char *const scopes[] = { "once", "session", "always", "directory" };
	const json_t *covers = json_object_get(review, "covers");
	struct details details = { picture, columns, whole ? 1000 : SHORT_LINES };

	add_what(&details, review);
	add_who(&details, review);
	add_score(&details, review);
	add_each(&details, "secret", json_object_get(review, "chain"), view_chain_step);
	if (review_waits(review))
		add_wait(&details, review, now);
	else
		add_answer(&details, review);
	for (size_t i = 0; i < ARRAY_SIZE(scopes); i++)
		details_add_member(&details, scopes[i], covers, scopes[i]);
	add_flags(&details, review);
	return picture->r;
}
