/* SPDX-License-Identifier: MPL-2.0 */
/* The same pictures as on the screen, as text; without what is about keys. */
#include <poll.h>

#include "feed.h"
#include "json.h"
#include "top.h"
#include "view.h"

#define ROWS 50
#define COLUMNS 120 /* where the output is no terminal */
#define FORMAT (JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(12))

/* Without the last line, which has keys, and without spaces at the ends. */
static void print_picture(const struct picture *picture)
{
	for (size_t i = 0; i + 1 < picture->count; i++) {
		const struct text *text = &picture->lines[i].text;
		size_t length = text->length;

		while (length && text->data[length - 1] == ' ')
			length--;
		printf("%.*s\n", (int)length, text->data);
	}
	putchar('\n');
}

static int print_look(struct top_model *model, const struct top_batch *batch, int64_t now)
{
	unsigned int width = term_of(STDOUT_FILENO).width;
	unsigned int columns = width > TOP_COLUMNS ? width : width ? TOP_COLUMNS : COLUMNS;
	OWNED_PICTURE struct picture picture = { 0 };
	json_auto_t *json = NULL;
	int r = view_top_look(model, ROWS, columns, now, &picture);

	if (r < 0)
		return r;
	if (batch->json) {
		json = top_json(model, now);
		if (!json || json_dumpf(json, stdout, FORMAT) < 0)
			return -ENOMEM;
		putchar('\n');
	} else {
		print_picture(&picture);
	}
	return fflush(stdout) ? -errno : 0;
}

/* Takes what comes until then. 1: the output was closed. */
static int collect(struct top_feed *feed, int64_t end, struct text *error)
{
	bool readable[TOP_FEED_FDS] = { false };
	int r = 1;

	for (;;) {
		struct pollfd pollers[TOP_FEED_FDS + 1] = { { .fd = STDOUT_FILENO } };
		struct top_now now = top_now();
		int fds[TOP_FEED_FDS];

		r = top_feed_take(feed, readable, now, error);
		now = top_now();
		if (r < 0 || now.mono >= end)
			return r < 0 ? r : 0;
		top_feed_fds(feed, fds);
		for (size_t i = 0; i < TOP_FEED_FDS; i++)
			pollers[i + 1] = (struct pollfd) { .fd = fds[i], .events = POLLIN };
		if (poll(pollers, ARRAY_SIZE(pollers), r > 0 ? 0 : (int)(end - now.mono)) < 0 &&
		    errno != EINTR)
			return -errno;
		if (pollers[0].revents & (POLLERR | POLLHUP))
			return 1;
		for (size_t i = 0; i < TOP_FEED_FDS; i++)
			readable[i] = pollers[i + 1].revents != 0;
	}
}

static int look(struct top_feed *feed, const struct top_batch *batch)
{
	OWNED_TEXT struct text error = { 0 };
	int r = 0;

	if (batch->filter && top_model_filter(feed->model, batch->filter) < 0)
		return output_failure(feed->model->message.data + 1, 0);
	r = top_feed_open(feed, &error);
	for (uint64_t i = 0; r == 0 && (!batch->looks || i < batch->looks); i++) {
		r = collect(feed, top_now().mono + batch->delay, &error);
		if (r == 0)
			r = print_look(feed->model, batch, top_now().real);
	}
	if (r < 0 && r != -EPIPE)
		return output_failure(error.data, r);
	return COMMAND_OK;
}

int top_batch_run(const struct top_batch *batch)
{
	struct top_model model;
	struct top_feed feed = { .socket = batch->socket, .model = &model };
	int r = top_model_init(&model, term_of(STDOUT_FILENO).utf8);
	int status = r < 0 ? output_failure(NULL, r) : COMMAND_OK;

	model.pane = TOP_PANES; /* keys are for none */
	if (r == 0)
		status = look(&feed, batch);
	top_feed_close(&feed);
	top_model_free(&model);
	return status;
}
