/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A frame is drawn when something has come, at most TOP_FRAME_MS apart, and only where it differs
 * from the one before. While nothing happens nothing is woken up but for a list now and then.
 */
#include "feed.h"
#include "top.h"
#include "view.h"

#define TOP_FRAME_MS 100
#define TICK_MS 1000 /* what moves by itself, and the patience between two connections */

struct ui {
	struct screen *screen;
	struct top_feed feed;
	struct top_model model;
	struct picture drawn;
	struct top_now now;
	int64_t drawn_at, tick; /* of the monotonic clock */
	bool stale; /* the picture, and the model's rows */
	bool more; /* has come already */
	bool quit;
};

static void say(struct ui *ui, const struct text *error)
{
	top_model_say(&ui->model, error->data ? error->data : strerror(ENOMEM), "");
	ui->stale = true;
}

static int draw(struct ui *ui)
{
	OWNED_PICTURE struct picture picture = { 0 };
	unsigned int rows, columns;
	int r;

	screen_size(ui->screen, &rows, &columns);
	r = view_top_look(&ui->model, rows, columns, ui->now.real, &picture);
	if (r < 0)
		return r;
	if (ui->model.scroll > picture.scroll_max)
		ui->model.scroll = picture.scroll_max;
	ui->stale = false;
	ui->drawn_at = ui->now.mono;
	if (picture_equal(&picture, &ui->drawn))
		return 0;
	screen_draw(ui->screen, &picture);
	picture_free(&ui->drawn);
	ui->drawn = picture;
	picture = (struct picture) { 0 };
	return 0;
}

static void answer(struct ui *ui, const struct review_answer *given)
{
	OWNED_TEXT struct text error = { 0 };

	if (review_stream_answer(ui->feed.socket, given, &error) < 0)
		say(ui, &error);
	else
		review_model_next(&ui->model.reviews, ui->now.mono);
	screen_forget_keys(ui->screen);
}

static size_t page(const struct ui *ui)
{
	unsigned int rows, columns;
	const struct picture_place *place;
	struct top_layout layout;

	screen_size(ui->screen, &rows, &columns);
	layout = top_layout(&ui->model, rows, columns);
	place = ui->model.mode == TOP_LOOK ? &layout.panes[ui->model.pane] : &layout.body;

	return place->rows > 2 ? place->rows - 1 : 1;
}

static int take_keys(struct ui *ui)
{
	int key, r;

	while (!ui->quit && (key = screen_key(ui->screen)) != SCREEN_KEY_NONE) {
		struct review_answer given;

		r = top_model_refresh(&ui->model, ui->now.real);
		if (r < 0)
			return r;
		/* Whatever was there, curses has to draw it again. */
		if (key == SCREEN_KEY_RESIZE)
			picture_free(&ui->drawn);
		switch (top_model_key(&ui->model, key, page(ui), ui->now.mono, &given)) {
		case TOP_QUIT:
			ui->quit = true;
			break;
		case TOP_ANSWER:
			answer(ui, &given);
			break;
		default:
			break;
		}
		ui->stale = true;
	}
	return 0;
}

static int take_feed(struct ui *ui, const bool readable[TOP_FEED_FDS])
{
	int64_t chosen = ui->model.reviews.chosen;
	OWNED_TEXT struct text error = { 0 };
	bool some = ui->more;
	int r;

	for (size_t i = 0; i < TOP_FEED_FDS; i++)
		some |= readable[i];
	if (!ui->feed.log || (!some && top_feed_patience(&ui->feed, ui->now) != 0))
		return 0;
	r = top_feed_take(&ui->feed, readable, ui->now, &error);
	ui->more = r > 0;
	ui->stale |= some;
	if (r == -ENOMEM)
		return r;
	if (r < 0) {
		top_feed_close(&ui->feed);
		say(ui, &error);
	}
	/* Keys typed before the picture was drawn do not answer what is in it. */
	if (ui->model.pane == TOP_HOLDS && ui->model.reviews.chosen != chosen)
		screen_forget_keys(ui->screen);
	return 0;
}

static void reconnect(struct ui *ui)
{
	OWNED_TEXT struct text error = { 0 };

	if (top_feed_open(&ui->feed, &error) < 0) {
		say(ui, &error);
	} else {
		ui->model.message.length = 0;
		ui->more = true;
	}
}

/* Whether something changes without anything coming: rates fall, and holds have a time. */
static bool is_lively(const struct ui *ui)
{
	return ui->model.reviews.count || !ui->feed.log ||
	       ui->model.rates.newest > ui->now.real / 1000 - TOP_SECONDS;
}

static int sooner(int64_t a, int64_t b)
{
	if (b >= 0 && (a < 0 || b < a))
		a = b;
	return a > INT32_MAX ? INT32_MAX : (int)a;
}

static int timeout(const struct ui *ui)
{
	int64_t frame = ui->drawn_at + TOP_FRAME_MS - ui->now.mono, tick;
	int wait = sooner(-1, top_feed_patience(&ui->feed, ui->now));

	tick = ui->tick + TICK_MS - ui->now.mono;
	if (is_lively(ui))
		wait = sooner(wait, tick > 0 ? tick : 0);
	if (ui->stale)
		wait = sooner(wait, frame > 0 ? frame : 0);
	return ui->more ? 0 : wait;
}

static int wait_and_take(struct ui *ui)
{
	bool readable[TOP_FEED_FDS];
	int fds[TOP_FEED_FDS], r;

	top_feed_fds(&ui->feed, fds);
	r = screen_wait(ui->screen, fds, TOP_FEED_FDS, timeout(ui), readable);
	if (r < 0)
		return r;
	ui->quit = r > 0;
	ui->now = top_now();
	r = take_feed(ui, readable);
	if (r == 0)
		r = take_keys(ui);
	if (ui->now.mono - ui->tick >= TICK_MS) {
		ui->tick = ui->now.mono;
		ui->stale = true;
		if (!ui->feed.log)
			reconnect(ui);
	}
	return r;
}

static int show(struct ui *ui)
{
	int r = 0;

	ui->more = ui->stale = true;
	while (r == 0 && !ui->quit) {
		ui->now = top_now();
		if (ui->stale && ui->now.mono - ui->drawn_at >= TOP_FRAME_MS)
			r = draw(ui);
		if (r == 0)
			r = wait_and_take(ui);
	}
	return r;
}

static int run(struct ui *ui, const char *filter)
{
	struct term term = term_of(STDOUT_FILENO);
	OWNED_TEXT struct text error = { 0 };
	int r = top_model_init(&ui->model, term.utf8);

	if (r < 0)
		return output_failure(NULL, r);
	if (filter && top_model_filter(&ui->model, filter) < 0)
		return output_failure(ui->model.message.data + 1, 0);
	r = top_feed_open(&ui->feed, &error);
	if (r < 0)
		return output_failure(error.data, r);
	r = screen_open(term.colour, &ui->screen);
	if (r < 0)
		return screen_failed(r, "top needs a terminal; 'grith top -b' does not");
	r = show(ui);
	screen_free(ui->screen);
	return r < 0 ? output_failure(NULL, r) : COMMAND_OK;
}

int top_screen_run(const char *socket, const char *filter)
{
	struct ui ui = { .feed = { .socket = socket } };
	int status;

	ui.feed.model = &ui.model;
	status = run(&ui, filter);
	top_feed_close(&ui.feed);
	picture_free(&ui.drawn);
	top_model_free(&ui.model);
	return status;
}
