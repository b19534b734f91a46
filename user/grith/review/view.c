/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The full screen of `grith review`: a bar, the list, a bar, the chosen review in detail, a bar.
 * Always as many lines as the screen has.
 */
#include <string.h>

#include "view.h"

#define LEFT_COLUMNS 8 /* what view_review_left() needs */
#define BARS 3

size_t view_review_waiting(const struct review_model *model)
{
	size_t waiting = 0;

	for (size_t i = 0; i < model->count; i++)
		waiting += review_waits(model->reviews[i]);
	return waiting;
}

static int add_title(struct picture *picture, const struct review_model *model,
		     unsigned int columns)
{
	size_t waiting = view_review_waiting(model);
	OWNED_TEXT struct text left = { 0 };
	int r;

	if (waiting)
		r = text_addf(&left, " grith review: %zu wait%s for an answer", waiting,
			      waiting == 1 ? "s" : "");
	else
		r = text_addf(&left, " grith review: nothing waits for an answer");
	return r < 0 ? r : picture_add_bar(picture, columns, left.data, "? help ");
}

/* "> 12 blue       write    /home/...ooks/pre-commit            5.00 4m" */
static int add_row(struct picture *picture, const json_t *review, bool chosen, unsigned int columns,
		   int64_t now)
{
	OWNED_TEXT struct text line = { 0 }, session = { 0 }, op = { 0 }, object = { 0 };
	OWNED_TEXT struct text name = { 0 }, cut = { 0 }, left = { 0 };
	unsigned int used;
	int r = view_review_session(&name, review);

	if (r == 0)
		r = term_add_cut(&session, name.data ? name.data : "", 12);
	if (r == 0)
		r = shown_add(&op, review, "op");
	if (r == 0)
		r = view_review_object(&object, review);
	if (r == 0)
		r = view_review_left(&left, review, now);
	if (r == 0)
		r = text_addf(&line, "%s%4lld %s%*s %s%*s ", chosen ? ">" : " ",
			      (long long)shown_integer(review, "id"), session.data,
			      12 - (int)term_columns(session.data), "", op.data ? op.data : "?",
			      op.data && term_columns(op.data) < 8 ? 8 - (int)term_columns(op.data)
								   : 0,
			      "");
	if (r < 0)
		return r;
	used = term_columns(line.data) + 7 + LEFT_COLUMNS;
	if (used < columns)
		r = term_add_middle(&cut, object.data ? object.data : "", columns - used);
	if (r == 0 && used < columns)
		r = text_addf(&line, "%s%*s %5.2f %s", cut.data ? cut.data : "",
			      (int)(columns - used - (cut.data ? term_columns(cut.data) : 0)), "",
			      json_number_value(json_object_get(review, "score")),
			      left.data ? left.data : "");
	if (r == 0) {
		text_free(&cut);
		cut = (struct text) { 0 };
		r = term_add_cut(&cut, line.data, columns);
	}
	return r < 0 ? r
		     : picture_add(picture,
				   chosen		  ? PICTURE_CHOSEN
				   : review_waits(review) ? PICTURE_PLAIN
							  : PICTURE_DIM,
				   0, cut.data);
}

int view_review_rows(const struct review_model *model, size_t rows, unsigned int columns,
		     int64_t now, struct picture *picture)
{
	size_t first = 0, at = 0;
	int r = 0;

	while (at < model->count && shown_integer(model->reviews[at], "id") != model->chosen)
		at++;
	if (at >= rows)
		first = at - rows + 1;
	for (size_t i = first; i < model->count && i < first + rows && r == 0; i++)
		r = add_row(picture, model->reviews[i], i == at, columns, now);
	return r;
}

/* Which one the details are of, and what of them is not to be seen. */
static int add_between(struct picture *picture, const json_t *review, const struct picture *details,
		       size_t below, unsigned int columns)
{
	OWNED_TEXT struct text left = { 0 }, right = { 0 };
	int r = text_addf(&left, " ");

	if (r == 0 && review)
		r = text_addf(&left, "%lld in session ", (long long)shown_integer(review, "id"));
	if (r == 0 && review)
		r = view_review_session(&left, review);
	if (r == 0)
		r = text_addf(&right, "%s", details->cut ? "v: nothing cut " : "");
	if (r == 0 && below)
		r = text_addf(&right, "PgDn: %zu more line%s ", below, below == 1 ? "" : "s");
	return r < 0 ? r : picture_add_bar(picture, columns, left.data, right.data);
}

static int add_help(struct picture *details)
{
	static const char *const lines[] = {
		"  a   allow, this time",
		"  s   allow in this session",
		"  A   allow always, for this user and profile (asks once more)",
		"  D   allow below the directory shown (asks for how long)",
		"  d   deny, this time",
		"  x   deny in this session",
		"",
		"  up, down, Home, End    choose a review",
		"  PgUp, PgDn             scroll its details",
		"  v                      show long values whole, or cut",
		"  q   quit: what waits goes on waiting",
	};
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(lines) && r == 0; i++)
		r = picture_add(details, PICTURE_PLAIN, 0, lines[i]);
	return r;
}

int view_review_bottom(const struct review_model *model, unsigned int columns,
		       struct picture *picture)
{
	const json_t *covers = json_object_get(review_model_chosen(model), "covers");
	OWNED_TEXT struct text line = { 0 };
	int r = text_addf(&line, " ");

	if (r < 0)
		return r;
	switch (model->mode) {
	case REVIEW_CONFIRM_ALWAYS:
		r = text_addf(&line, "y: always allow ");
		r = r < 0 ? r : shown_add(&line, covers, "always");
		return r < 0 ? r : picture_add_bar(picture, columns, line.data, " other keys: no ");
	case REVIEW_CONFIRM_DIRECTORY:
		r = text_addf(&line, "s: for the session, A: always, all below ");
		r = r < 0 ? r : shown_add(&line, covers, "directory");
		return r < 0 ? r : picture_add_bar(picture, columns, line.data, " other keys: no ");
	case REVIEW_HELP:
		return picture_add_bar(picture, columns, " any key: back", "");
	default:
		if (model->message.length)
			return picture_add_bar(picture, columns, model->message.data, "");
		return picture_add_bar(
			picture, columns,
			" a allow  s session  A always  D directory  d deny  x deny session",
			"q quit ");
	}
}

static int too_small(struct picture *picture, unsigned int rows, unsigned int columns)
{
	OWNED_TEXT struct text line = { 0 };
	int r = term_add_cut(&line, "grith review needs a larger terminal; q quits", columns);

	for (unsigned int i = 0; i < rows && r == 0; i++)
		r = picture_add(picture, PICTURE_PLAIN, 0, i || !columns ? "" : line.data);
	return r;
}

static int draw(struct picture *picture, const struct review_model *model, unsigned int rows,
		unsigned int columns, int64_t now)
{
	const json_t *chosen = review_model_chosen(model);
	OWNED_PICTURE struct picture details = { 0 };
	size_t list = (rows - BARS) / 3 < model->count ? (rows - BARS) / 3 : model->count;
	size_t room = rows - BARS - list, scroll;
	struct picture_place window = {
		.row = list + 2,
		.rows = room,
		.columns = columns,
	};
	int r = 0;

	if (model->mode == REVIEW_HELP)
		r = add_help(&details);
	else if (chosen)
		r = view_review_details(chosen, columns, model->whole, now, &details);
	picture->scroll_max = details.count > room ? details.count - room : 0;
	scroll = model->scroll < picture->scroll_max ? model->scroll : picture->scroll_max;

	if (r == 0)
		r = add_title(picture, model, columns);
	if (r == 0)
		r = view_review_rows(model, list, columns, now, picture);
	if (r == 0)
		r = add_between(picture, chosen, &details, picture->scroll_max - scroll, columns);
	if (r == 0)
		r = picture_copy(picture, &window, &details, scroll);
	return r < 0 ? r : view_review_bottom(model, columns, picture);
}

int view_review_screen(const struct review_model *model, unsigned int rows, unsigned int columns,
		       int64_t now, struct picture *ret_picture)
{
	OWNED_PICTURE struct picture picture = { 0 };
	int r;

	if (rows < VIEW_REVIEW_ROWS || columns < VIEW_REVIEW_COLUMNS)
		r = too_small(&picture, rows, columns);
	else
		r = draw(&picture, model, rows, columns, now);
	if (r < 0)
		return r;
	*ret_picture = picture;
	picture = (struct picture) { 0 };
	return 0;
}
