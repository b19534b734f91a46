/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Puts together the model, its picture, the terminal and the connection. When grithd goes away the
 * screen stays, shows it, and reconnects once a second: holds outlive grithd.
 */
#include "review.h"

#define TICK_MS 1000 /* the clock that is shown, and the patience between two connections */

struct ui {
	const char *socket;
	const char *session;
	struct screen *screen;
	struct channel *channel; /* NULL: there is none now */
	struct review_model model;
	bool quit;
};

static void say(struct ui *ui, const struct text *error)
{
	ui->model.message.length = 0;
	text_addf(&ui->model.message, " %s", error->data ? error->data : strerror(ENOMEM));
}

static int put(void *arg, json_t *review)
{
	struct ui *ui = arg;
	int64_t before = ui->model.chosen;
	int r = review_model_put(&ui->model, review, clock_ms(CLOCK_MONOTONIC));

	/* Keys typed before the review was drawn do not answer it. */
	if (ui->screen && ui->model.chosen != before)
		screen_forget_keys(ui->screen);
	return r;
}

/* Opens the stream, with all that waits now. 0 or -errno, and a message in `error`. */
static int connect_stream(struct ui *ui, struct text *error)
{
	review_model_clear(&ui->model);
	return review_stream_open(ui->socket, ui->session, put, ui, &ui->channel, error);
}

static void lose_stream(struct ui *ui, int r)
{
	OWNED_TEXT struct text error = { 0 };

	channel_free(ui->channel);
	ui->channel = NULL;
	review_model_clear(&ui->model);
	channel_explain(r, ui->socket, &error);
	say(ui, &error);
}

static void reconnect(struct ui *ui)
{
	OWNED_TEXT struct text error = { 0 };

	if (connect_stream(ui, &error) == 0)
		ui->model.message.length = 0;
	else
		say(ui, &error);
}

static void give(struct ui *ui, const struct review_answer *answer)
{
	OWNED_TEXT struct text error = { 0 };

	if (review_stream_answer(ui->socket, answer, &error) < 0)
		say(ui, &error);
	else
		review_model_next(&ui->model, clock_ms(CLOCK_MONOTONIC));
}

static void take_keys(struct ui *ui)
{
	int key;

	while (!ui->quit && (key = screen_key(ui->screen)) != SCREEN_KEY_NONE) {
		struct review_answer answer;

		switch (review_model_key(&ui->model, key, clock_ms(CLOCK_MONOTONIC), &answer)) {
		case REVIEW_QUIT:
			ui->quit = true;
			break;
		case REVIEW_ANSWER:
			give(ui, &answer);
			screen_forget_keys(ui->screen);
			break;
		default:
			break;
		}
	}
}

static void take_lines(struct ui *ui)
{
	int r = review_stream_take(ui->channel, true, put, ui);

	if (r < 0)
		lose_stream(ui, r);
}

static int draw(struct ui *ui)
{
	OWNED_PICTURE struct picture picture = { 0 };
	unsigned int rows, columns;
	int r;

	screen_size(ui->screen, &rows, &columns);
	r = view_review_screen(&ui->model, rows, columns, clock_ms(CLOCK_REALTIME), &picture);
	if (r < 0)
		return r;
	if (ui->model.scroll > picture.scroll_max)
		ui->model.scroll = picture.scroll_max;
	screen_draw(ui->screen, &picture);
	return 0;
}

static int wait_and_take(struct ui *ui, int64_t *tick)
{
	int fd = ui->channel ? channel_fd(ui->channel) : -1, r;
	int64_t left = *tick + TICK_MS - clock_ms(CLOCK_MONOTONIC);
	bool readable;

	r = screen_wait(ui->screen, &fd, 1, left > 0 ? (int)left : 0, &readable);
	if (r < 0)
		return r;
	if (readable)
		take_lines(ui);
	ui->quit = r > 0;
	take_keys(ui);
	if (clock_ms(CLOCK_MONOTONIC) - *tick >= TICK_MS) {
		*tick = clock_ms(CLOCK_MONOTONIC);
		if (!ui->channel)
			reconnect(ui);
	}
	return 0;
}

static int show(struct ui *ui)
{
	int64_t tick = clock_ms(CLOCK_MONOTONIC);
	int r = review_stream_take(ui->channel, false, put, ui);

	while (r == 0 && !ui->quit) {
		r = draw(ui);
		if (r == 0)
			r = wait_and_take(ui, &tick);
	}
	return r;
}

int review_screen_run(const char *socket, const char *session)
{
	struct ui ui = { .socket = socket, .session = session };
	OWNED_TEXT struct text error = { 0 };
	int r = connect_stream(&ui, &error), status;

	if (r < 0)
		return output_failure(error.data, r);
	r = screen_open(term_of(STDOUT_FILENO).colour, &ui.screen);
	if (r < 0) {
		status = screen_failed(r, "review needs a terminal; 'grith review --list' and "
					  "'--watch' do not");
	} else {
		r = show(&ui);
		screen_free(ui.screen);
		status = r < 0 ? output_failure(NULL, r) : COMMAND_OK;
	}
	channel_free(ui.channel);
	review_model_free(&ui.model);
	return status;
}
