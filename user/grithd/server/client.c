/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Nothing here waits. A client that does not read stops being served when its buffer is full, and
 * goes on from there; one that sends the next request before it got the reply to the last waits
 * too.
 */
#include <sys/socket.h>

#include "lib/proto/proto.h"
#include "client.h"

#define OUT_ENOUGH (256u << 10) /* bytes that wait to be sent: read no more of the log */
#define OUT_MAX (PROTO_REPLY_MAX * 2) /* a follower that is this far behind is given up */

static size_t unsent(const struct client *client)
{
	return client->out.length - client->sent;
}

static bool is_busy(const struct client *client)
{
	return client->job || unsent(client) || client->last_reply;
}

/* 0, or -errno where the connection is over. */
static int send_out(struct client *client)
{
	while (unsent(client)) {
		ssize_t n = send(client->fd, client->out.data + client->sent, unsent(client),
				 MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN ? 0 : -errno;
		client->sent += n;
		client->active = clock_mono();
	}
	/* A large reply is no reason to hold the memory until the connection ends. */
	text_free(&client->out);
	client->out = (struct text) { 0 };
	client->sent = 0;
	return 0;
}

void client_reply(struct client *client, json_t *reply)
{
	OWNED_MEM char *line = reply ? json_dumps(reply, JSON_COMPACT) : NULL;

	json_decref(reply);
	if (!line || text_add(&client->out, line, strlen(line)) < 0 ||
	    text_add(&client->out, "\n", 1) < 0)
		client->last_reply = true; /* nothing more can be said */
}

/* Serves the requests that are there, as long as each is answered at once. */
static int serve(struct client *client)
{
	size_t length;
	char *line;
	int r = 0;

	while (r == 0 && !is_busy(client) && lines_next(&client->in, &line, &length)) {
		client->ops->request(client->arg, client, line, length);
		r = send_out(client);
	}
	if (!lines_held(&client->in))
		lines_free(&client->in);
	return r;
}

static int read_in(struct client *client)
{
	int r = lines_read(&client->in, client->fd, PROTO_START_MAX);

	if (r == -EAGAIN)
		return 0;
	if (r == 0)
		client->no_more_input = true;
	if (r == -EMSGSIZE || client->ops->is_full(client->arg)) {
		client_reply(client,
			     proto_error_reply(PROTO_BAD_REQUEST, "the request is too long", NULL));
		client->last_reply = true;
		return 0;
	}
	client->active = clock_mono();
	return r < 0 ? r : 0;
}

/* What to wait for next. -ECONNRESET: nothing, the connection is over. */
static int update(struct client *client)
{
	bool reading = client->stepping && unsent(client) < OUT_ENOUGH;
	uint32_t events = 0;
	int r;

	if (!unsent(client) && !client->stepping &&
	    (client->last_reply || (client->no_more_input && !is_busy(client))))
		return -ECONNRESET;
	if (unsent(client))
		events |= EPOLLOUT;
	if (!is_busy(client) && !client->no_more_input)
		events |= EPOLLIN;
	r = sd_event_source_set_enabled(client->work, reading ? SD_EVENT_ON : SD_EVENT_OFF);
	if (r < 0)
		return r;
	return sd_event_source_set_io_events(client->io, events);
}

/* Sends and serves what can be, after `r`, and frees the client where that is its end. */
static void go_on(struct client *client, int r)
{
	r = r ?: send_out(client);
	r = r ?: serve(client);
	r = r ?: update(client);
	if (r < 0)
		client_free(client);
}

static int on_io(sd_event_source *source, int fd, uint32_t events, void *arg)
{
	struct client *client = arg;
	int r = 0;

	(void)source;
	(void)fd;
	if (events & EPOLLIN)
		r = read_in(client);
	else if (events & (EPOLLHUP | EPOLLERR))
		r = -ECONNRESET;
	go_on(client, r);
	return 0;
}

static int on_work(sd_event_source *source, void *arg)
{
	struct client *client = arg;

	(void)source;
	go_on(client, client->stepping ? client->job_ops->step(client, client->job) : 0);
	return 0;
}

void client_start_job(struct client *client, const struct job_ops *ops, void *job, bool stepping)
{
	client->job_ops = ops;
	client->job = job;
	client->stepping = stepping;
}

void client_end_job(struct client *client)
{
	client->stepping = false;
	if (client->job)
		client->job_ops->free(TAKE_PTR(client->job));
}

void client_resume(struct client *client)
{
	go_on(client, 0);
}

void client_log_grew(struct client *client)
{
	if (!client->job || !client->job_ops->follows_log)
		return;
	client->stepping = true;
	if (unsent(client) < OUT_ENOUGH)
		sd_event_source_set_enabled(client->work, SD_EVENT_ON);
}

void client_push(struct client *client, json_t *line)
{
	client_reply(client, line);
	if (unsent(client) > OUT_MAX) {
		text_free(&client->out);
		client->out = (struct text) { 0 };
		client->sent = 0;
		client->last_reply = true;
	}
	sd_event_source_set_enabled(client->work, SD_EVENT_ON);
}

bool client_is_stale(const struct client *client, uint64_t now)
{
	uint64_t silent = now - client->active;

	if (client->supervised)
		return silent > CLIENT_STALE_SUPERVISED_NS;
	if (is_busy(client))
		return false;
	return silent > (lines_held(&client->in) ? CLIENT_STALE_REQUEST_NS : CLIENT_STALE_IDLE_NS);
}

static int add_sources(struct client *client, sd_event *event)
{
	int r = sd_event_add_io(event, &client->io, client->fd, EPOLLIN, on_io, client);

	if (r < 0)
		return r;
	r = sd_event_add_defer(event, &client->work, on_work, client);
	if (r < 0)
		return r;
	sd_event_source_set_enabled(client->work, SD_EVENT_OFF);
	r = sd_event_source_set_priority(client->io, PRIORITY_CLIENTS);
	if (r < 0)
		return r;
	return sd_event_source_set_priority(client->work, PRIORITY_LOG);
}

int client_new(sd_event *event, const struct client_ops *ops, void *arg, int *fd, struct peer *peer,
	       struct client **ret_client)
{
	CLEANUP(client_freep) struct client *client = calloc(1, sizeof(*client));
	int r;

	if (!client)
		return -ENOMEM;
	client->ops = ops;
	client->arg = arg;
	client->fd = *fd;
	client->peer = *peer;
	client->active = clock_mono();
	r = add_sources(client, event);
	if (r < 0) { /* fd and peer stay the caller's */
		client->fd = client->peer.pidfd = -1;
		return r;
	}
	*fd = peer->pidfd = -1;
	*ret_client = TAKE_PTR(client);
	return 0;
}

void client_free(struct client *client)
{
	if (!client)
		return;
	client->ops->gone(client->arg, client);
	client_end_job(client);
	sd_event_source_disable_unref(client->io);
	sd_event_source_disable_unref(client->work);
	lines_free(&client->in);
	text_free(&client->out);
	cleanup_close(&client->fd);
	peer_close(&client->peer);
	free(client);
}
