/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A client's connection to grithd: requests out, lines in, and messages for the failures of both.
 * What the lines mean is the verbs' business.
 */
#pragma once

#include <sys/types.h>

#include <jansson.h>

#include "lib/base/base.h"

#define CHANNEL_PATIENCE 60000 /* ms that grithd has for an answer: a policy may be large */

struct channel;

/* Where grithd listens: `given` if not NULL, else the environment's, else the default. Borrowed. */
const char *channel_socket(const char *given);

/*
 * Connects to the socket at `path`. The server must run as root or as `trusted`: pass 0 for root
 * alone. 0 and a channel that channel_free() closes, or a negative errno for channel_explain():
 * -EUSERS where another user serves the socket.
 */
int channel_open(const char *path, uid_t trusted, struct channel **ret_channel);
void channel_free(struct channel *channel);
DEFINE_CLEANUP(struct channel, channel_free)

/* Sends one request, "v" added to it. 0 or a negative errno for channel_explain(). */
int channel_send(struct channel *channel, json_t *request);

/*
 * Waits for one line, at most CHANNEL_PATIENCE. 0 and the object it is, the caller's; or a negative
 * errno for channel_explain(): -ETIMEDOUT, -ECONNRESET (end of input), -EMSGSIZE (longer than
 * PROTO_REPLY_MAX), -EBADMSG (no JSON object), -EPROTONOSUPPORT (another version of the protocol).
 */
int channel_receive(struct channel *channel, json_t **ret_line);

/*
 * The same in two steps, for callers with a poll() of their own: channel_take() fails with -EAGAIN
 * where no whole line was read; then, when channel_fd() is readable, channel_read() reads once.
 */
int channel_take(struct channel *channel, json_t **ret_line);
/* A line as it came, without its newline, valid until the next call; not looked at. */
int channel_take_line(struct channel *channel, const char **ret_line, size_t *ret_length);
int channel_read(struct channel *channel);
int channel_fd(const struct channel *channel);

/*
 * All of the above for one request: 0 and a reply with "ok" true, or a negative errno and a message
 * in `error`, without a newline at its end. channel_start() leaves the channel open for the lines
 * that follow the reply. A request that is NULL is one that there was no memory for.
 */
int channel_ask(const char *path, uid_t trusted, json_t *request, json_t **ret_reply,
		struct text *error);
int channel_start(const char *path, uid_t trusted, json_t *request, struct channel **ret_channel,
		  json_t **ret_reply, struct text *error);

/* Adds the message for a failure of the functions above. */
void channel_explain(int r, const char *socket, struct text *error);

/*
 * 0 for a reply with "ok" true, else -EREMOTE, and in `error` its message, then each detail on a
 * line of its own, escaped.
 */
int channel_check(const json_t *reply, struct text *error);
