/* SPDX-License-Identifier: MPL-2.0 */
/* Reviews one a line: in a table, and as they come. */
#include <string.h>

#include "grith/base/base.h"
#include "view.h"

int view_review_object(struct text *out, const json_t *review)
{
	int r = shown_add(out, review, "object");

	if (r < 0 || !json_is_string(json_object_get(review, "second")))
		return r;
	r = text_addf(out, " -> ");
	return r < 0 ? r : shown_add(out, review, "second");
}

int view_review_program(struct text *out, const json_t *process)
{
	OWNED_TEXT struct text path = { 0 };
	const char *name;
	int r = shown_add(&path, process, "program");

	if (r < 0)
		return r;
	name = path.length ? strrchr(path.data, '/') : NULL;
	return text_addf(out, "%s[%lld]",
			 name && name[1] ? name + 1
			 : path.length	 ? path.data
					 : "?",
			 (long long)shown_integer(process, "pid"));
}

int view_review_session(struct text *out, const json_t *review)
{
	bool named = *shown_string(review, "session_name");

	return shown_add(out, review, named ? "session_name" : "session");
}

int view_review_left(struct text *out, const json_t *review, int64_t now)
{
	int64_t expires;

	if (!review_waits(review))
		return shown_add(out, review, "state");
	if (moment_parse(shown_string(review, "expires"), &expires) < 0)
		return text_addf(out, "-");
	return moment_add_span(out, expires - now);
}

static int add_row(struct table *table, const json_t *review, int64_t now)
{
	OWNED_TEXT struct text session = { 0 }, object = { 0 }, program = { 0 }, left = { 0 };
	OWNED_TEXT struct text op = { 0 };
	int r = view_review_session(&session, review);

	if (r == 0)
		r = shown_add(&op, review, "op");
	if (r == 0)
		r = view_review_object(&object, review);
	if (r == 0)
		r = view_review_program(&program, review);
	if (r == 0)
		r = view_review_left(&left, review, now);
	if (r == 0)
		r = table_addf(table, "%lld", (long long)shown_integer(review, "id"));
	if (r == 0)
		r = table_add(table, session.data);
	if (r == 0)
		r = table_add(table, left.data);
	if (r == 0)
		r = table_addf(table, "%.2f", json_number_value(json_object_get(review, "score")));
	if (r == 0)
		r = table_add(table, program.data);
	if (r == 0)
		r = table_add(table, op.data);
	return r < 0 ? r : table_add(table, object.data);
}

int view_reviews(const json_t *reviews, int64_t now, const struct term *term, struct text *out)
{
	static const char *const heads[] = {
		"ID", "SESSION", "LEFT", "SCORE", "PROGRAM", "OP", "OBJECT",
	};
	OWNED_TABLE struct table table = { .columns = ARRAY_SIZE(heads),
					   .right = 1u << 0 | 1u << 3 };
	const json_t *review;
	size_t i;
	int r = 0;

	if (!json_array_size(reviews))
		return text_addf(out, "Nothing waits for an answer.\n");
	for (i = 0; i < ARRAY_SIZE(heads) && r == 0; i++)
		r = table_add(&table, heads[i]);
	json_array_foreach (reviews, i, review)
		if (r == 0)
			r = add_row(&table, review, now);
	for (i = 0; i <= json_array_size(reviews) && r == 0; i++)
		r = table_print_row(&table, i, term, out);
	return r;
}

int view_review_line(const json_t *review, int64_t now, struct text *out)
{
	int r = text_addf(out, "%lld  ", (long long)shown_integer(review, "id"));

	if (r == 0)
		r = view_review_session(out, review);
	if (r == 0)
		r = text_addf(out, "  ");
	if (r == 0)
		r = view_review_program(out, review);
	if (r == 0)
		r = text_addf(out, "  ");
	if (r == 0)
		r = shown_add(out, review, "op");
	if (r == 0)
		r = text_addf(out, " ");
	if (r == 0)
		r = view_review_object(out, review);
	if (r == 0)
		r = text_addf(out, "  score %.2f  %s ",
			      json_number_value(json_object_get(review, "score")),
			      json_is_true(json_object_get(review, "held")) ? "waits"
									    : "next try,");
	return r < 0 ? r : view_review_left(out, review, now);
}
