/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The stream of reviews: those that wait, then each that is new or changed. Where they go is the
 * caller's business.
 */
#pragma once

#include "grith/client/client.h"
#include "request.h"

/* One review, borrowed. A negative errno ends the reading. */
typedef int review_fn(void *arg, json_t *review);

/*
 * Connects, asks, and passes on what waits now. 0 and the channel, the caller's, or a negative
 * errno and in `error` what to print.
 */
int review_stream_open(const char *socket, const char *session, review_fn *each, void *arg,
		       struct channel **ret_channel, struct text *error);

/*
 * Passes on what has come, without waiting: reads once where `more`, for when channel_fd() is
 * readable. 0, or the first negative errno of the callback or, for channel_explain(), of the
 * channel.
 */
int review_stream_take(struct channel *channel, bool more, review_fn *each, void *arg);

/* Gives an answer. 0, or a negative errno and a message in `error`. */
int review_stream_answer(const char *socket, const struct review_answer *answer,
			 struct text *error);
