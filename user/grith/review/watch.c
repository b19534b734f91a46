/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Follows the reviews and tells about each one once. The programs that are started for it run by
 * themselves, up to a number; beyond it the next one waits for one of them to end.
 */
#include <poll.h>
#include <string.h>

#include "grith/base/base.h"
#include "notice.h"
#include "stream.h"
#include "view.h"
#include "watch.h"

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

static void complain(const char *what, int r)
{
	if (r < 0)
		message("cannot run %s: %s", what, strerror(-r));
}

static int tell(void *arg, json_t *review)
{
	struct watcher *watcher = arg;
	int64_t id = shown_integer(review, "id");
	int r;

	if (id <= watcher->seen || !review_waits(review))
		return 0;
	watcher->seen = id;
	r = print(watcher, review);
	if (r < 0)
		return r;
	if (watcher->options->notify)
		complain("notify-send", notice_desktop(&watcher->notice, review));
	if (watcher->options->command)
		complain("the command",
			 notice_command(&watcher->notice, watcher->options->command, review));
	return 0;
}

/* 1 where the channel has input, 0 where nobody reads the output any more. */
static int wait_for_more(const struct channel *channel)
{
	struct pollfd pollers[] = {
		{ .fd = channel_fd(channel), .events = POLLIN },
		{ .fd = STDOUT_FILENO },
	};

	while (poll(pollers, ARRAY_SIZE(pollers), -1) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	return !(pollers[1].revents & (POLLERR | POLLHUP));
}

static int follow_reviews(struct channel *channel, struct watcher *watcher)
{
	int r = review_stream_take(channel, false, tell, watcher);

	while (r == 0) {
		r = wait_for_more(channel);
		if (r <= 0)
			return r;
		r = review_stream_take(channel, true, tell, watcher);
	}
	return r;
}

int review_watch_run(const struct review_watch *watch)
{
	CLEANUP(channel_freep) struct channel *channel = NULL;
	struct watcher watcher = { .options = watch };
	OWNED_TEXT struct text error = { 0 };
	int r = review_stream_open(watch->socket, watch->session, tell, &watcher, &channel, &error);

	if (r == 0) {
		r = follow_reviews(channel, &watcher);
		if (r < 0)
			channel_explain(r, watch->socket, &error);
	}
	if (r == 0 || r == -EPIPE)
		return COMMAND_OK;
	fprintf(stderr, "grith: %s\n", error.data ? error.data : strerror(-r));
	return COMMAND_FAILED;
}
