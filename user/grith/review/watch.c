/* SPDX-License-Identifier: MPL-2.0 */
/*
 * `grith review --watch`: prints each review once. The programs that are started for it run by
 * themselves, up to a number; beyond it the next one waits for one of them to end.
 */
#include <poll.h>

#include "grith/log/log.h"
#include "notice.h"
#include "review.h"

#define FORMAT (JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(12))

struct watcher {
	const struct review_watch *options;
	int64_t seen; /* the largest id: they count up */
	struct notice notice;
};

static int print(const struct watcher *watcher, const json_t *review)
{
	OWNED_TEXT struct text line = { 0 };
	int r;

	if (watcher->options->json) {
		if (json_dumpf(review, stdout, FORMAT) < 0)
			return -EIO;
	} else {
		r = view_review_line(review, clock_ms(CLOCK_REALTIME), &line);
		if (r < 0)
			return r;
		fputs(line.data, stdout);
	}
	fputs(watcher->options->bell ? "\a\n" : "\n", stdout);
	return fflush(stdout) ? -errno : 0;
}

static void report_failed(const char *what, int r)
{
	if (r < 0)
		message("cannot run %s: %s", what, strerror(-r));
}

static int on_review(void *arg, json_t *review)
{
	struct watcher *watcher = arg;
	int64_t id = member_integer(review, "id");
	int r;

	if (id <= watcher->seen || !review_waits(review))
		return 0;
	watcher->seen = id;
	r = print(watcher, review);
	if (r < 0)
		return r;
	if (watcher->options->notify)
		report_failed("notify-send", notice_desktop(&watcher->notice, review));
	if (watcher->options->command)
		report_failed("the command",
			      notice_command(&watcher->notice, watcher->options->command, review));
	return 0;
}

static int follow_reviews(struct channel *channel, struct watcher *watcher)
{
	int r = review_stream_take(channel, false, on_review, watcher);

	while (r == 0) {
		r = wait_for_input(channel_fd(channel), STDOUT_FILENO);
		if (r <= 0)
			return r;
		r = review_stream_take(channel, true, on_review, watcher);
	}
	return r;
}

int review_watch_run(const struct review_watch *watch)
{
	CLEANUP(channel_freep) struct channel *channel = NULL;
	struct watcher watcher = { .options = watch };
	OWNED_TEXT struct text error = { 0 };
	int r = review_stream_open(watch->socket, watch->session, on_review, &watcher, &channel,
				   &error);

	if (r == 0) {
		r = follow_reviews(channel, &watcher);
		if (r < 0)
			channel_explain(r, watch->socket, &error);
	}
	if (r == 0 || r == -EPIPE)
		return COMMAND_OK;
	return output_failure(error.data, r);
}
