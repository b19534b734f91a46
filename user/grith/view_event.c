/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Columns of fixed width where nearly all entries fit; what is longer pushes the rest to the right,
 * because a line can not wait for those after it.
 */
#include <string.h>

#include "moment.h"
#include "shown.h"
#include "view_event.h"
#include "view_object.h"

static bool is(const json_t *event, const char *key, const char *value)
{
	return !strcmp(shown_string(event, key), value);
}

/* Adds the cell, padded to `columns`, and a space at least. */
static int add_cell(struct text *out, const struct text *cell, unsigned int columns)
{
	const char *text = cell->length ? cell->data : "-";
	unsigned int used = term_columns(text);

	return text_addf(out, "%s%*s", text, used < columns ? (int)(columns - used) + 1 : 1, "");
}

static int add_time(struct text *out, const json_t *event, const struct term *term)
{
	int64_t time = -1;
	int r;

	moment_parse(shown_string(event, "time"), &time);
	r = text_addf(out, "%s", term_colour(term, TERM_DIM));
	if (r == 0)
		r = moment_add(out, time);
	return r < 0 ? r : text_addf(out, "%s ", term_colour(term, TERM_PLAIN));
}

/* "abcdefghij:17": what `grith why` calls the entry; without the number where it has none. */
static int add_session(struct text *out, const json_t *event)
{
	OWNED_TEXT struct text cell = { 0 };
	int r = shown_add(&cell, event, "session");

	if (r == 0 && cell.length && json_is_integer(json_object_get(event, "seq")))
		r = text_addf(&cell, ":%lld", (long long)shown_integer(event, "seq"));
	return r < 0 ? r : add_cell(out, &cell, 15);
}

/* "node[123]": the program's own name, or where that is not known what the kernel calls it. */
static int add_program(struct text *out, const json_t *event)
{
	OWNED_TEXT struct text cell = { 0 }, program = { 0 };
	const char *name;
	int r;

	r = shown_add(&program, event, "program");
	if (r == 0 && !program.length)
		r = shown_add(&program, event, "comm");
	name = program.length ? strrchr(program.data, '/') : NULL;
	if (r == 0 && program.length)
		r = text_addf(&cell, "%s[%lld]", name && name[1] ? name + 1 : program.data,
			      (long long)shown_integer(event, "pid"));
	return r < 0 ? r : add_cell(out, &cell, 18);
}

static enum term_colour verdict_colour(const json_t *event)
{
	if (is(event, "verdict", "allow"))
		return TERM_GREEN;
	return is(event, "verdict", "hold") ? TERM_YELLOW : TERM_RED;
}

static int add_verdict(struct text *out, const json_t *event, const struct term *term)
{
	OWNED_TEXT struct text cell = { 0 };
	int r = shown_add(&cell, event, "verdict");

	if (r < 0 || !cell.length)
		return r < 0 ? r : add_cell(out, &cell, 5);
	r = text_addf(out, "%s", term_colour(term, verdict_colour(event)));
	if (r == 0)
		r = add_cell(out, &cell, 5);
	return r < 0 ? r : text_addf(out, "%s", term_colour(term, TERM_PLAIN));
}

static int add_op(struct text *out, const json_t *event)
{
	OWNED_TEXT struct text cell = { 0 };
	int r = shown_add(&cell, event, json_object_get(event, "op") ? "op" : "kind");

	return r < 0 ? r : add_cell(out, &cell, 8);
}

/* "  base.yaml:12 (private SSH keys)" */
static int add_why(struct text *out, const json_t *event, const struct term *term)
{
	bool rule = json_is_string(json_object_get(event, "rule"));
	bool reason = json_is_string(json_object_get(event, "reason"));
	int r = 0;

	if (!rule && !reason)
		return 0;
	r = text_addf(out, "  %s", term_colour(term, TERM_DIM));
	if (r == 0)
		r = shown_add(out, event, "rule");
	if (r == 0 && reason) {
		r = text_addf(out, rule ? " (" : "(");
		if (r == 0)
			r = shown_add(out, event, "reason");
		if (r == 0)
			r = text_add(out, ")", 1);
	}
	return r < 0 ? r : text_addf(out, "%s", term_colour(term, TERM_PLAIN));
}

/* "  score 5.00", where there is one. */
static int add_score(struct text *out, const json_t *event)
{
	double score = json_number_value(json_object_get(event, "score"));

	return score != 0 ? text_addf(out, "  score %.2f", score) : 0;
}

/* The number of the review that an operation waits for, or was answered by. */
static int add_review_number(struct text *marks, const json_t *event)
{
	if (is(event, "kind", "review") || !json_is_integer(json_object_get(event, "review")))
		return 0;
	return text_addf(marks, "%sreview %lld", marks->length ? " " : "",
			 (long long)shown_integer(event, "review"));
}

/* "  [EACCES held review 12]": how it was refused, and what is out of the ordinary. */
static int add_marks(struct text *out, const json_t *event)
{
	OWNED_TEXT struct text marks = { 0 };
	const json_t *flag;
	size_t i;
	int r;

	r = shown_add(&marks, event, "errno");
	json_array_foreach (json_object_get(event, "flags"), i, flag) {
		if (!json_is_string(flag))
			continue;
		if (r == 0 && marks.length)
			r = text_add(&marks, " ", 1);
		if (r == 0)
			r = text_add_escaped(&marks, json_string_value(flag),
					     json_string_length(flag));
	}
	if (r == 0)
		r = add_review_number(&marks, event);
	if (r < 0 || !marks.length)
		return r;
	return text_addf(out, "  [%s]", marks.data);
}

int view_event(const json_t *event, const struct term *term, struct text *out)
{
	int r = add_time(out, event, term);

	if (r == 0)
		r = add_session(out, event);
	if (r == 0)
		r = add_program(out, event);
	if (r == 0)
		r = add_verdict(out, event, term);
	if (r == 0)
		r = add_op(out, event);
	if (r == 0)
		r = view_object(event, out);
	if (r == 0)
		r = add_why(out, event, term);
	if (r == 0)
		r = add_score(out, event);
	if (r == 0)
		r = add_marks(out, event);
	return r < 0 ? r : text_add(out, "\n", 1);
}
