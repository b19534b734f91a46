/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The full screen of `grith review`: a bar, the list, a bar, the chosen review in detail, a bar.
 * Always as many lines as the screen has.
 */
#include "view.h"

#define RIGHT_COLUMNS (7 + 8) /* the score, and what view_review_left() needs */
#define BARS 3

size_t view_review_waiting(const struct review_model *model)
{
	size_t waiting = 0;

	for (size_t i = 0; i < model->count; i++)
		waiting += review_waits(model->reviews[i]);
	return waiting;
}

static void add_title(struct picture *picture, const struct review_model *model,
		      unsigned int columns)
{
	size_t waiting = view_review_waiting(model);
	char left[64] = " grith review: nothing waits for an answer";

	if (waiting)
		snprintf(left, sizeof(left), " grith review: %zu wait%s for an answer", waiting,
			 waiting == 1 ? "s" : "");
	picture_add_bar(picture, columns, left, "? help ");
}

/* "> 12 blue       write    /home/...ooks/pre-commit            5.00 4m" */
static void add_row(struct picture *picture, const json_t *review, bool chosen,
		    unsigned int columns, int64_t now)
{
	OWNED_LINE struct line line = { .out = &line.own }, name = { .out = &name.own };
	OWNED_LINE struct line object = { .out = &object.own };
	size_t start;
	int room;

	line_addf(&line, "%s%4lld ", chosen ? ">" : " ", (long long)member_integer(review, "id"));
	start = line.own.length;
	view_review_session(&name, review);
	line_add_cut(&line, line_text(&name), 12);
	line_pad(&line, start, 12);
	start = line.own.length;
	line_add_member(&line, review, "op");
	line_add(&line, line.own.length == start ? "?" : "");
	line_pad(&line, start, 8);
	room = (int)(columns - term_columns(line_text(&line)) - RIGHT_COLUMNS);
	if (room > 0) {
		view_review_object(&object, review);
		start = line.own.length;
		line_add_middle(&line, line_text(&object), (unsigned int)room);
		line_addf(&line, "%*s %5.2f ", room - (int)term_columns(line_text(&line) + start),
			  "", member_number(review, "score"));
		view_review_left(&line, review, now);
	}
	if (line.r | name.r | object.r)
		picture->r = -ENOMEM;
	picture_add(picture,
		    chosen		   ? PICTURE_CHOSEN
		    : review_waits(review) ? PICTURE_PLAIN
					   : PICTURE_DIM,
		    columns, line_text(&line));
}

int view_review_rows(const struct review_model *model, size_t rows, unsigned int columns,
		     int64_t now, struct picture *picture)
{
	size_t at = review_model_row(model), first = at >= rows ? at - rows + 1 : 0;

	for (size_t i = first; i < model->count && i < first + rows; i++)
		add_row(picture, model->reviews[i], i == at, columns, now);
	return picture->r;
}

/* Which one the details are of, and what of them is not to be seen. */
static void add_between(struct picture *picture, const json_t *review,
			const struct picture *details, size_t below, unsigned int columns)
{
	OWNED_LINE struct line left = { .out = &left.own }, right = { .out = &right.own };

	line_add(&left, " ");
	if (review) {
		line_addf(&left, "%lld in session ", (long long)member_integer(review, "id"));
		view_review_session(&left, review);
	}
	line_add(&right, details->cut ? "v: nothing cut " : "");
	if (below)
		line_addf(&right, "PgDn: %zu more line%s ", below, below == 1 ? "" : "s");
	picture_add_bar(picture, columns, line_text(&left), line_text(&right));
}

static const char *const help[] = {
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

int view_review_bottom(const struct review_model *model, unsigned int columns,
		       struct picture *picture)
{
	const json_t *covers = json_object_get(review_model_chosen(model), "covers");
	bool always = model->mode == REVIEW_CONFIRM_ALWAYS;
	OWNED_LINE struct line line = { .out = &line.own };

	switch (model->mode) {
	case REVIEW_CONFIRM_ALWAYS:
	case REVIEW_CONFIRM_DIRECTORY:
		line_add(&line, always ? " y: always allow "
				       : " s: for the session, A: always, all below ");
		line_add_member(&line, covers, always ? "always" : "directory");
		return picture_add_bar(picture, columns, line_text(&line), " other keys: no ");
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

static void draw(struct picture *picture, const struct review_model *model, unsigned int rows,
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

	if (model->mode == REVIEW_HELP)
		picture_add_lines(&details, help, ARRAY_SIZE(help));
	else if (chosen)
		view_review_details(chosen, columns, model->whole, now, &details);
	picture->scroll_max = details.count > room ? details.count - room : 0;
	scroll = model->scroll < picture->scroll_max ? model->scroll : picture->scroll_max;
	add_title(picture, model, columns);
	view_review_rows(model, list, columns, now, picture);
	add_between(picture, chosen, &details, picture->scroll_max - scroll, columns);
	picture_copy(picture, &window, &details, scroll);
	view_review_bottom(model, columns, picture);
}

int view_review_screen(const struct review_model *model, unsigned int rows, unsigned int columns,
		       int64_t now, struct picture *ret_picture)
{
	OWNED_PICTURE struct picture picture = { 0 };

	if (rows < VIEW_REVIEW_ROWS || columns < VIEW_REVIEW_COLUMNS)
		picture_fill(&picture, rows, columns,
			     "grith review needs a larger terminal; q quits");
	else
		draw(&picture, model, rows, columns, now);
	if (picture.r < 0)
		return picture.r;
	*ret_picture = picture;
	picture = (struct picture) { 0 };
	return 0;
}
