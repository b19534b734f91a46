/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Nothing here waits. A client that does not read stops being served when its buffer is full, and
 * goes on from there; one that sends the next request before it got the reply to the last waits
 * too.
 */
#include <sys/socket.h>

#include "grithd/daemon.h"
#include "grithd/review/review.h"
#include "client.h"
#include "server.h"
#include "start.h"
#include "verbs.h"

#define OUT_ENOUGH (256u << 10) /* bytes that wait to be sent: read no more of the log */
#define OUT_MAX (PROTO_REPLY_MAX * 2) /* a follower that is this far behind is given up */
#define STALE_SUPERVISED_NS (5 * UINT64_C(1000000000))
#define STALE_REQUEST_NS (60 * UINT64_C(1000000000))
#define STALE_IDLE_NS (600 * UINT64_C(1000000000))

static size_t unsent(const struct client *client)
{
	return client->out.length - client->sent;
}

static bool is_busy(const struct client *client)
{
	return client->reader || client->why || client->start || client->follow.on ||
	       unsent(client) || client->last_reply;
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

/* Sends what is missing in the log, as soon as it is known. */
static int tell_lost(struct client *client)
{
	uint64_t lost = audit_log_lost(client->server->daemon->audit.log);
	int r;

	if (lost == client->lost_before)
		return 0;
	r = text_addf(&client->out, "{\"v\":%d,\"lost\":%llu}\n", PROTO_VERSION,
		      (unsigned long long)(lost - client->lost_before));
	if (r == 0)
		client->lost_before = lost;
	return r;
}

static void end_reading(struct client *client)
{
	log_reader_free(TAKE_PTR(client->reader));
	if (text_addf(&client->out, "{\"v\":%d,\"end\":true}\n", PROTO_VERSION) < 0)
		client->last_reply = true;
}

/* That the follower has all there is, where it was sent something. */
static int tell_current(struct client *client)
{
	int r = tell_lost(client);

	if (r < 0 || !client->late)
		return r;
	client->late = false;
	return text_addf(&client->out, "{\"v\":%d,\"current\":true}\n", PROTO_VERSION);
}

/* One step of a `log` request. */
static int read_log(struct client *client)
{
	size_t before = client->out.length;
	enum log_step step;
	int r = log_reader_step(client->reader, &client->out, &step);

	if (r < 0)
		return r;
	client->more = step == LOG_MORE;
	client->late |= client->out.length > before;
	if (step == LOG_END)
		end_reading(client);
	return step == LOG_WAIT ? tell_current(client) : 0;
}

/*
 * Where the peer is now: it may have been placed in a session since it connected. `ret_own` is that
 * session, or NULL where there is none that is known.
 */
static bool is_supervised(struct client *client, struct session **ret_own)
{
	OWNED_MEM char *cgroup = NULL;
	const struct daemon *daemon = client->server->daemon;
	const char *root = daemon->root.path;
	char id[SESSION_ID_LENGTH + 1] = "";

	*ret_own = NULL;
	if (peer_cgroup(&client->peer, &cgroup) < 0)
		return true;
	if (!cgroup_is_below(cgroup, root))
		return false;
	if (strlen(cgroup) > strlen(root) + SESSION_ID_LENGTH)
		memcpy(id, cgroup + strlen(root) + 1, SESSION_ID_LENGTH);
	*ret_own = sessions_find_id(&daemon->sessions, id);
	return true;
}

static enum proto_error error_of(int r)
{
	switch (r) {
	case -EPROTONOSUPPORT:
		return PROTO_BAD_VERSION;
	case -ENOMEM:
		return PROTO_INTERNAL;
	default:
		return PROTO_BAD_REQUEST;
	}
}

static void take_request(struct client *client, const char *line, size_t length)
{
	struct proto_request *request;
	struct session *own;
	bool supervised = is_supervised(client, &own);
	char why[256];
	int r;

	if (supervised) /* one question, and no place for longer than that takes */
		client->last_reply = true;
	if (supervised && !own) {
		client_reply(client, proto_error_reply(PROTO_DENIED,
						       "a supervised process may not ask for "
						       "anything",
						       NULL));
		return;
	}
	r = proto_request_parse(line, length, why, sizeof(why), &request);
	if (r < 0)
		client_reply(client, proto_error_reply(error_of(r), why, NULL));
	else if (supervised)
		verb_run_supervised(client, request, own);
	else
		verb_run(client, request);
}

/* Serves the requests that are there, as long as each is answered at once. */
static int serve(struct client *client)
{
	size_t length;
	char *line;
	int r = 0;

	while (r == 0 && !is_busy(client) && lines_next(&client->in, &line, &length)) {
		take_request(client, line, length);
		r = send_out(client);
	}
	if (!client_held(client))
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
	if (r == -EMSGSIZE || server_held(client->server) > SERVER_HELD_MAX) {
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
	bool reading =
		(client->reader && client->more && unsent(client) < OUT_ENOUGH) || client->why;
	uint32_t events = 0;
	int r;

	if (!unsent(client) && !client->why &&
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
	if (r == 0)
		r = send_out(client);
	if (r == 0)
		r = serve(client);
	if (r == 0)
		r = update(client);
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
	if (client->why) {
		verb_why_step(client);
		client->active = clock_mono();
	}
	go_on(client, client->reader ? read_log(client) : 0);
	return 0;
}

void client_resume(struct client *client)
{
	go_on(client, 0);
}

void client_log_grew(struct client *client)
{
	if (!client->reader)
		return;
	client->more = true;
	if (unsent(client) < OUT_ENOUGH)
		sd_event_source_set_enabled(client->work, SD_EVENT_ON);
}

void client_review_changed(struct client *client, const struct review *review)
{
	json_t *line;

	if (!client->follow.on || !verb_may_see_review(client, review))
		return;
	line = json_pack("{s:i, s:o}", "v", PROTO_VERSION, "review", review_to_json(review));
	client_reply(client, line);
	if (unsent(client) > OUT_MAX) {
		text_free(&client->out);
		client->out = (struct text) { 0 };
		client->sent = 0;
		client->last_reply = true;
	}
	/* Is sent by the event loop: whoever changed the review may be in the middle of it. */
	sd_event_source_set_enabled(client->work, SD_EVENT_ON);
}

bool client_is_stale(const struct client *client, uint64_t now)
{
	uint64_t silent = now - client->active;

	if (client->supervised)
		return silent > STALE_SUPERVISED_NS;
	if (is_busy(client))
		return false;
	return silent > (client_held(client) ? STALE_REQUEST_NS : STALE_IDLE_NS);
}

size_t client_held(const struct client *client)
{
	return lines_held(&client->in);
}

static int add_sources(struct client *client)
{
	sd_event *event = client->server->daemon->event;
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

int client_new(struct server *server, int *fd, struct peer *peer, struct client **ret_client)
{
	CLEANUP(client_freep) struct client *client = calloc(1, sizeof(*client));
	int r;

	if (!client)
		return -ENOMEM;
	client->server = server;
	client->fd = *fd;
	client->peer = *peer;
	client->active = clock_mono();
	r = add_sources(client);
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
	server_forget(client->server, client);
	start_free(client->start);
	why_search_free(client->why);
	sd_event_source_disable_unref(client->io);
	sd_event_source_disable_unref(client->work);
	log_reader_free(client->reader);
	lines_free(&client->in);
	text_free(&client->out);
	cleanup_close(&client->fd);
	peer_close(&client->peer);
	free(client);
}
