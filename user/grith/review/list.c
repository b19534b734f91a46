/* SPDX-License-Identifier: MPL-2.0 */
/* Reviews one a line: in a table, and as they come. */
#include "view.h"

void view_review_object(struct line *out, const json_t *review)
{
	line_add_member(out, review, "object");
	if (!json_is_string(json_object_get(review, "second")))
		return;
	line_add(out, " -> ");
	line_add_member(out, review, "second");
}

void view_review_program(struct line *out, const json_t *process)
{
	OWNED_LINE struct line path = { .out = &path.own };
	const char *name, *slash;

	line_add_member(&path, process, "program");
	name = line_text(&path);
	slash = strrchr(name, '/');
	if (slash && slash[1])
		name = slash + 1;
	line_addf(out, "%s[%lld]", *name ? name : "?", (long long)member_integer(process, "pid"));
}

void view_review_session(struct line *out, const json_t *review)
{
	bool named = *member_string(review, "session_name");

	line_add_member(out, review, named ? "session_name" : "session");
}

void view_review_left(struct line *out, const json_t *review, int64_t now)
{
	int64_t expires;

	if (!review_waits(review))
		line_add_member(out, review, "state");
	else if (moment_parse(member_string(review, "expires"), &expires) < 0)
		line_add(out, "-");
	else
		line_add_span(out, expires - now);
}

int view_reviews(const json_t *reviews, int64_t now, const struct term *term, struct text *out)
{
	static const char *const heads[] = {
		"ID", "SESSION", "LEFT", "SCORE", "PROGRAM", "OP", "OBJECT",
	};
	OWNED_TABLE struct table table = { .columns = ARRAY_SIZE(heads),
					   .right = 1u << 0 | 1u << 3 };
	OWNED_LINE struct line cell = { .out = &cell.own };
	const json_t *review;
	size_t i;

	if (!json_array_size(reviews))
		return text_addf(out, "Nothing waits for an answer.\n");
	table_add_cells(&table, heads, ARRAY_SIZE(heads));
	json_array_foreach (reviews, i, review) {
		table_addf(&table, "%lld", (long long)member_integer(review, "id"));
		view_review_session(&cell, review);
		table_add_line(&table, &cell);
		view_review_left(&cell, review, now);
		table_add_line(&table, &cell);
		table_addf(&table, "%.2f", member_number(review, "score"));
		view_review_program(&cell, review);
		table_add_line(&table, &cell);
		line_add_member(&cell, review, "op");
		table_add_line(&table, &cell);
		view_review_object(&cell, review);
		table_add_line(&table, &cell);
	}
	return table_print(&table, term, out);
}

int view_review_line(const json_t *review, int64_t now, struct text *out)
{
	struct line line = { .out = out };

	line_addf(&line, "%lld  ", (long long)member_integer(review, "id"));
	view_review_session(&line, review);
	line_add(&line, "  ");
	view_review_program(&line, review);
	line_add(&line, "  ");
	line_add_member(&line, review, "op");
	line_add(&line, " ");
	view_review_object(&line, review);
	line_addf(&line, "  score %.2f  %s ", member_number(review, "score"),
		  member_true(review, "held") ? "waits" : "next try,");
	view_review_left(&line, review, now);
	return line.r;
}
