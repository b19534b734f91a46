/* SPDX-License-Identifier: MPL-2.0 */
/*
 * After the first answer nothing waits for grithd but poll(). Events that were taken before the
 * connection was lost come again, since the log is queried by whole seconds: they are recognised by
 * their numbers, and in another log, whose numbers begin anew, by their times.
 */
#include "grith/review/review.h"
#include "lib/proto/proto.h"
#include "feed.h"

#define OVERLAP 10 /* seconds that are queried again: lines may be written so late */

struct top_now top_now(void)
{
	return (struct top_now) { clock_ms(CLOCK_REALTIME), clock_ms(CLOCK_MONOTONIC) };
}

static int put_review(void *arg, json_t *review)
{
	struct top_feed *feed = arg;

	return review_model_put(&feed->model->reviews, review, top_now().mono);
}

static json_t *log_request(const struct top_feed *feed)
{
	int64_t since = top_now().real / 1000 - (int64_t)(feed->newest / 1000000000) + OVERLAP;

	if (!feed->newest || since < 1)
		return json_pack("{s:s, s:b, s:i}", "do", proto_verb_name(PROTO_LOG), "follow", 1,
				 "last", TOP_BACKLOG);
	return json_pack("{s:s, s:b, s:I}", "do", proto_verb_name(PROTO_LOG), "follow", 1, "since",
			 (json_int_t)since);
}

static int open_log(struct top_feed *feed, struct text *error)
{
	json_auto_t *request = NULL;

	feed->known = feed->number;
	feed->damaged = 0;
	feed->opened = top_now().real;
	request = log_request(feed);
	return request ? log_source_ask(feed->socket, 0, request, error, &feed->log) : -ENOMEM;
}

static int ask_list(struct top_feed *feed)
{
	json_auto_t *request = json_pack("{s:s}", "do", proto_verb_name(PROTO_LIST));
	int r = request ? channel_send(feed->list, request) : -ENOMEM;

	feed->asked = r == 0;
	feed->busy = false;
	return r;
}

int top_feed_open(struct top_feed *feed, struct text *error)
{
	int r = open_log(feed, error);

	if (r == 0)
		r = review_stream_open(feed->socket, NULL, put_review, feed, &feed->reviews, error);
	if (r == 0) {
		r = channel_open(feed->socket, 0, &feed->list);
		if (r == 0)
			r = ask_list(feed);
		if (r < 0)
			channel_explain(r, feed->socket, error);
	}
	if (r < 0)
		top_feed_close(feed);
	return r;
}

void top_feed_close(struct top_feed *feed)
{
	log_source_free(feed->log);
	channel_free(feed->reviews);
	channel_free(feed->list);
	feed->log = NULL;
	feed->reviews = feed->list = NULL;
	feed->asked = false;
	top_model_lost(feed->model);
}

void top_feed_fds(const struct top_feed *feed, int ret_fds[TOP_FEED_FDS])
{
	ret_fds[0] = feed->log ? log_source_fd(feed->log) : -1;
	ret_fds[1] = feed->reviews ? channel_fd(feed->reviews) : -1;
	ret_fds[2] = feed->list ? channel_fd(feed->list) : -1;
}

static int take_event(struct top_feed *feed, const struct log_event *event)
{
	if (event->number <= feed->known && event->time <= feed->newest)
		return 0;
	feed->known = 0;
	feed->number = event->number;
	if (event->time > feed->newest)
		feed->newest = event->time;
	if (event->sequence != LOG_NO_NUMBER) { /* others have the time when grithd wrote them */
		feed->record = event->time;
		feed->record_came = true;
	}
	feed->busy = true;
	return top_model_event(feed->model, event);
}

/* What could not be read. What could not be written comes as a gap. 0 or -ENOMEM. */
static int take_losses(struct top_feed *feed, struct top_now now)
{
	uint64_t damaged = log_source_damaged(feed->log);
	int r = 0;

	if (damaged != feed->damaged)
		r = top_model_missed(feed->model, damaged - feed->damaged, now.real,
				     "the log could not be read there; see 'grith audit verify'");
	feed->damaged = damaged;
	return r;
}

/*
 * Events are late where there is more of the log than was read, and where grithd writes them late:
 * then records keep coming, and each is old when it comes.
 */
static void note_behind(struct top_feed *feed, struct top_now now)
{
	int64_t record = (int64_t)(feed->record / 1000000);
	int64_t late = now.real - (record > feed->opened ? record : feed->opened);

	if (feed->record_came) {
		feed->came = now.real;
		feed->late = late;
		feed->record_came = false;
	}
	if (log_source_is_current(feed->log))
		late = now.real - feed->came < TOP_LATE_MS ? feed->late : 0;
	feed->model->behind = late >= TOP_LATE_MS && record ? late : 0;
}

static int take_log(struct top_feed *feed, struct top_now now, struct text *error)
{
	const struct log_event *event;
	int r = 1, n = 0;

	while (r == 1 && n++ < TOP_TAKE) {
		r = log_source_next(feed->log, &event);
		if (take_losses(feed, now) < 0 || (r == 1 && take_event(feed, event) < 0))
			return -ENOMEM;
	}
	note_behind(feed, now);
	if (r == 1 || r == -EAGAIN)
		return r == 1;
	/* The end of what is to be followed. */
	r = r == 0 ? -ECONNRESET : r;
	log_source_explain(feed->log, r, error);
	return r;
}

/* A list that has come, or the question for the next one. */
static int take_list(struct top_feed *feed, bool readable, struct top_now now, struct text *error)
{
	json_auto_t *reply = NULL;
	int r = readable ? channel_read(feed->list) : 0;

	if (r == -EAGAIN)
		r = 0;
	if (r == 0)
		r = channel_take(feed->list, &reply);
	if (r == 0) {
		feed->asked = false;
		feed->listed = now.mono;
		r = channel_check(reply, error);
		return r < 0 ? r
			     : top_sessions_list(&feed->model->sessions,
						 json_object_get(reply, "sessions"),
						 now.real / 1000);
	}
	if (r == -EAGAIN && top_feed_patience(feed, now) == 0)
		r = ask_list(feed);
	if (r == 0 || r == -EAGAIN)
		return 0;
	channel_explain(r, feed->socket, error);
	return r;
}

int64_t top_feed_patience(const struct top_feed *feed, struct top_now now)
{
	int64_t left = feed->listed + (feed->busy ? TOP_LIST_MS : TOP_LIST_IDLE_MS) - now.mono;

	if (!feed->list || feed->asked)
		return -1;
	return left > 0 ? left : 0;
}

int top_feed_take(struct top_feed *feed, const bool readable[TOP_FEED_FDS], struct top_now now,
		  struct text *error)
{
	int more = take_log(feed, now, error), r = more;

	if (r >= 0) {
		r = review_stream_take(feed->reviews, readable[1], put_review, feed);
		if (r < 0)
			channel_explain(r, feed->socket, error);
	}
	if (r >= 0)
		r = take_list(feed, readable[2], now, error);
	return r < 0 ? r : more;
}
