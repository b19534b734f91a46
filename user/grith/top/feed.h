/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Where a model has its content from: three connections to grithd, for the log, for reviews, and
 * for the list of sessions, which is requested periodically.
 */
#pragma once

#include "grith/client/client.h"
#include "grith/log/log.h"
#include "model.h"

#define TOP_BACKLOG 1000 /* events of before the start */
#define TOP_LIST_MS 2000 /* between two lists, while something happens, */
#define TOP_LIST_IDLE_MS 10000 /* and while nothing does */
#define TOP_LATE_MS 2000 /* older than that when it comes, an event is late */
#define TOP_TAKE 4096 /* events that are taken at once, so that keys do not wait */
#define TOP_FEED_FDS 3

/* Starts as { .socket, .model }, which are borrowed; everything else is 0. */
struct top_feed {
	const char *socket;
	struct top_model *model;
	struct log_source *log; /* NULL: nothing is open */
	struct channel *reviews, *list;
	bool asked; /* for a list, which has not come yet */
	bool busy; /* there were events since the last list */
	int64_t listed; /* when it came */
	uint64_t damaged; /* as log_source_damaged(), so far */
	int64_t opened; /* ms since 1970; what is older is no wonder */
	uint64_t newest; /* the latest time of an event, nanoseconds since 1970 */
	uint64_t record; /* the time of the last record to come, nanoseconds since 1970 */
	bool record_came; /* since its lateness was noted */
	int64_t came, late; /* when it came, ms since 1970, and how late it was then, ms */
	uint64_t number; /* of the last event in the log */
	uint64_t known; /* events up to this number are not taken again; 0: all are taken */
};

/* What time it is, ms since 1970 and ms of CLOCK_MONOTONIC. */
struct top_now {
	int64_t real, mono;
};
struct top_now top_now(void);

/*
 * Connects, for the first time or anew; after a loss it goes on where it was. 0, or -errno and in
 * `error` a message.
 */
int top_feed_open(struct top_feed *feed, struct text *error);

/* Closes what is open, and clears what the model has from grithd. */
void top_feed_close(struct top_feed *feed);

/* What to wait for, -1 where nothing is open. */
void top_feed_fds(const struct top_feed *feed, int ret_fds[TOP_FEED_FDS]);

/*
 * Takes what has come, without waiting. 1: there is more already; 0: there is not; -errno: the
 * connection is lost, and `error` has a message.
 */
int top_feed_take(struct top_feed *feed, const bool readable[TOP_FEED_FDS], struct top_now now,
		  struct text *error);

/* ms until the next list is requested; -1: one was, or nothing is open. */
int64_t top_feed_patience(const struct top_feed *feed, struct top_now now);
