/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Supervised processes have a few places of their own, so that an agent cannot take those of its
 * own user.
 */
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "lib/proto/proto.h"
#include "server.h"

#define SWEEP_USEC (5 * UINT64_C(1000000))
#define BACKLOG 64

static void on_request(void *arg, struct client *client, const char *line, size_t length)
{
	struct server *server = arg;

	server->request(server->arg, client, line, length);
}

static bool is_full(void *arg)
{
	const struct server *server = arg;
	size_t bytes = 0;

	for (size_t i = 0; i < server->count; i++)
		bytes += lines_held(&server->clients[i]->in);
	return bytes > SERVER_INPUT_MAX;
}

static void on_gone(void *arg, struct client *client)
{
	struct server *server = arg;

	for (size_t i = 0; i < server->count; i++)
		if (server->clients[i] == client) {
			server->clients[i] = server->clients[--server->count];
			return;
		}
}

static const struct client_ops client_ops = { on_request, is_full, on_gone };

void server_log_grew(struct server *server)
{
	/* From the end: one that fails leaves, and the last one takes its place. */
	for (size_t i = server->count; i-- > 0;)
		client_log_grew(server->clients[i]);
}

/* Best effort: a client that is turned away is not waited for. */
static void turn_away(int fd, enum proto_error error, const char *message)
{
	json_t *reply = proto_error_reply(error, message, NULL);
	OWNED_MEM char *line = reply ? json_dumps(reply, JSON_COMPACT) : NULL;

	json_decref(reply);
	if (line && send(fd, line, strlen(line), MSG_NOSIGNAL | MSG_DONTWAIT) >= 0)
		send(fd, "\n", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Armed only while there are clients, so that an idle grithd is not woken. */
static void arm_sweep(struct server *server)
{
	if (sd_event_source_set_time_relative(server->sweep, SWEEP_USEC) >= 0)
		sd_event_source_set_enabled(server->sweep, SD_EVENT_ONESHOT);
}

static bool has_place(const struct server *server, const struct peer *peer, bool supervised)
{
	size_t others = 0, same = 0, inside = 0;

	for (size_t i = 0; i < server->count; i++) {
		const struct client *client = server->clients[i];

		inside += client->supervised;
		others += !client->supervised;
		same += !client->supervised && client->peer.uid == peer->uid;
	}
	if (supervised)
		return inside < SERVER_CLIENTS_SUPERVISED;
	if (peer->uid == 0)
		return others < SERVER_CLIENTS_MAX;
	return same < SERVER_CLIENTS_PER_USER &&
	       others < SERVER_CLIENTS_MAX - SERVER_CLIENTS_RESERVED;
}

static void take_in(struct server *server, int *fd)
{
	OWNED_PEER struct peer peer = { .pidfd = -1 };
	OWNED_MEM char *cgroup = NULL;
	struct client *client;
	bool supervised;

	if (peer_of(*fd, &peer) < 0 || peer_cgroup(&peer, &cgroup) < 0) {
		turn_away(*fd, PROTO_DENIED, "the process that connected has ended");
		return;
	}
	supervised = path_text_is_below(cgroup, server->root);
	if (!has_place(server, &peer, supervised)) {
		turn_away(*fd, PROTO_NO_SPACE, "too many connections to grithd");
	} else if (client_new(server->event, &client_ops, server, fd, &peer, &client) < 0) {
		turn_away(*fd, PROTO_INTERNAL, "out of memory");
	} else {
		client->supervised = supervised;
		server->clients[server->count++] = client;
		if (server->count == 1)
			arm_sweep(server);
	}
}

static int on_connection(sd_event_source *source, int listening, uint32_t events, void *arg)
{
	OWNED_FD int fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	(void)source;
	(void)events;
	/* Out of descriptors or memory: the connection waits, and the next round tries again. */
	if (fd >= 0)
		take_in(arg, &fd);
	return 0;
}

void server_sweep(struct server *server, uint64_t now)
{
	for (size_t i = server->count; i-- > 0;)
		if (client_is_stale(server->clients[i], now))
			client_free(server->clients[i]);
}

static int on_sweep(sd_event_source *source, uint64_t time, void *arg)
{
	struct server *server = arg;

	(void)source;
	(void)time;
	server_sweep(server, clock_mono());
	if (server->count)
		arm_sweep(server);
	return 0;
}

/* A socket file without a listener is left from a grithd that was killed. */
static int remove_stale(const struct sockaddr_un *address)
{
	OWNED_FD int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct stat st;

	if (fd < 0)
		return -errno;
	if (lstat(address->sun_path, &st) < 0)
		return errno == ENOENT ? 0 : -errno;
	if (!S_ISSOCK(st.st_mode))
		return -EEXIST;
	if (connect(fd, (const struct sockaddr *)address, sizeof(*address)) == 0)
		return -EADDRINUSE;
	if (errno != ECONNREFUSED)
		return -errno;
	return unlink(address->sun_path) < 0 ? -errno : 0;
}

static int make_parent(const char *path)
{
	OWNED_MEM char *parent = strdup(path);
	char *slash = parent ? strrchr(parent, '/') : NULL;

	if (!parent)
		return -ENOMEM;
	if (!slash || slash == parent)
		return 0;
	*slash = '\0';
	return mkdir(parent, 0755) < 0 && errno != EEXIST ? -errno : 0;
}

static int listen_on(struct server *server, const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int r;

	if (strlen(path) >= sizeof(address.sun_path))
		return -ENAMETOOLONG;
	memcpy(address.sun_path, path, strlen(path) + 1);
	r = make_parent(path) ?: remove_stale(&address);
	if (r < 0)
		return r;
	server->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (server->fd < 0)
		return -errno;
	if (bind(server->fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		return -errno;
	server->path = strdup(path);
	if (!server->path)
		return -ENOMEM;
	/* Open to all: what a client may do follows from its peer credentials and its cgroup. */
	if (chmod(path, 0666) < 0 || listen(server->fd, BACKLOG) < 0)
		return -errno;
	return 0;
}

int server_start(struct server *server, const char *path)
{
	sd_event *event = server->event;
	int r = listen_on(server, path);

	if (r >= 0)
		r = sd_event_add_io(event, &server->listen, server->fd, EPOLLIN, on_connection,
				    server);
	if (r >= 0)
		r = sd_event_add_time_relative(event, &server->sweep, CLOCK_MONOTONIC, SWEEP_USEC,
					       SWEEP_USEC, on_sweep, server);
	return r < 0 ? r : sd_event_source_set_priority(server->listen, PRIORITY_CLIENTS);
}

void server_stop(struct server *server)
{
	while (server->count)
		client_free(server->clients[server->count - 1]);
	server->listen = sd_event_source_disable_unref(server->listen);
	server->sweep = sd_event_source_disable_unref(server->sweep);
	cleanup_close(&server->fd);
	if (server->path)
		unlink(server->path);
	free(TAKE_PTR(server->path));
}
