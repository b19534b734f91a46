/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Lines of JSON over a unix stream socket, each wait with its end.
 */
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include "grith/base/base.h"
#include "lib/proto/proto.h"
#include "channel.h"

struct channel {
	int fd;
	struct lines lines;
};

const char *channel_socket(const char *given)
{
	const char *environment = getenv(PROTO_SOCKET_ENV);

	if (given)
		return given;
	return environment && *environment ? environment : PROTO_SOCKET;
}

/*
 * Fail closed: an agent must not be able to point a later `grith exec` to a server of its own that
 * accepts everything and supervises nothing.
 */
static int check_server(int fd, uid_t trusted)
{
	struct ucred server;
	socklen_t length = sizeof(server);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &server, &length) < 0)
		return -errno;
	return server.uid == 0 || server.uid == trusted ? 0 : -EUSERS;
}

int channel_open(const char *path, uid_t trusted, struct channel **ret_channel)
{
	const struct timeval patience = { .tv_sec = CHANNEL_PATIENCE / 1000 };
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct channel *channel;
	OWNED_FD int fd = -1;
	int r;

	if (strlen(path) >= sizeof(address.sun_path))
		return -ENAMETOOLONG;
	memcpy(address.sun_path, path, strlen(path) + 1);

	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	/* A stopped grithd must not block its clients: for connect() as well as for send(). */
	if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience)) < 0)
		return -errno;
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		return errno == EAGAIN ? -ETIMEDOUT : -errno;
	r = check_server(fd, trusted);
	if (r < 0)
		return r;

	channel = calloc(1, sizeof(*channel));
	if (!channel)
		return -ENOMEM;
	channel->fd = TAKE_FD(fd);
	*ret_channel = channel;
	return 0;
}

void channel_free(struct channel *channel)
{
	if (!channel)
		return;
	close(channel->fd);
	lines_free(&channel->lines);
	free(channel);
}

int channel_fd(const struct channel *channel)
{
	return channel->fd;
}

static int send_all(int fd, const char *data, size_t length)
{
	while (length) {
		ssize_t n = send(fd, data, length, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN ? -ETIMEDOUT : -errno;
		data += n;
		length -= n;
	}
	return 0;
}

int channel_send(struct channel *channel, json_t *request)
{
	OWNED_MEM char *line = NULL;
	size_t length;
	int r;

	if (json_object_set_new(request, "v", json_integer(PROTO_VERSION)) < 0)
		return -ENOMEM;
	line = json_dumps(request, JSON_COMPACT);
	if (!line)
		return -ENOMEM;
	length = strlen(line);
	line[length] = '\n'; /* replaces the NUL */
	r = send_all(channel->fd, line, length + 1);
	/* grithd refuses before it has read all, and its answer is better than our EPIPE. */
	return r == -EPIPE || r == -ECONNRESET ? 0 : r;
}

static int wait_readable(int fd, int64_t deadline)
{
	struct pollfd poller = { .fd = fd, .events = POLLIN };

	for (;;) {
		int64_t left = deadline - clock_ms(CLOCK_MONOTONIC);
		int r = poll(&poller, 1, left > 0 ? left : 0);

		if (r > 0)
			return 0;
		if (r == 0)
			return -ETIMEDOUT;
		if (errno != EINTR)
			return -errno;
	}
}

static int parse_line(const char *line, size_t length, json_t **ret_line)
{
	json_auto_t *json = json_loadb(line, length, JSON_REJECT_DUPLICATES, NULL);

	if (!json_is_object(json))
		return -EBADMSG;
	if (json_integer_value(json_object_get(json, "v")) != PROTO_VERSION)
		return -EPROTONOSUPPORT;
	*ret_line = TAKE_PTR(json);
	return 0;
}

int channel_take(struct channel *channel, json_t **ret_line)
{
	size_t length;
	char *line;

	return lines_next(&channel->lines, &line, &length) ? parse_line(line, length, ret_line)
							   : -EAGAIN;
}

int channel_take_line(struct channel *channel, const char **ret_line, size_t *ret_length)
{
	size_t length;
	char *line;

	if (!lines_next(&channel->lines, &line, &length))
		return -EAGAIN;
	*ret_line = line;
	*ret_length = length;
	return 0;
}

int channel_read(struct channel *channel)
{
	int n = lines_read(&channel->lines, channel->fd, PROTO_REPLY_MAX);

	return n == 0 ? -ECONNRESET : n < 0 ? n : 0;
}

int channel_receive(struct channel *channel, json_t **ret_line)
{
	int64_t deadline = clock_ms(CLOCK_MONOTONIC) + CHANNEL_PATIENCE;

	for (;;) {
		int r = channel_take(channel, ret_line);

		if (r != -EAGAIN)
			return r;
		r = wait_readable(channel->fd, deadline);
		if (r == 0)
			r = channel_read(channel);
		if (r < 0 && r != -EAGAIN)
			return r;
	}
}

int channel_start(const char *path, uid_t trusted, json_t *request, struct channel **ret_channel,
		  json_t **ret_reply, struct text *error)
{
	CLEANUP(channel_freep) struct channel *channel = NULL;
	json_auto_t *reply = NULL;
	int r = request ? channel_open(path, trusted, &channel) : -ENOMEM;

	if (r == 0)
		r = channel_send(channel, request);
	if (r == 0)
		r = channel_receive(channel, &reply);
	if (r < 0) {
		channel_explain(r, path, error);
		return r;
	}
	r = channel_check(reply, error);
	if (r < 0)
		return r;
	*ret_channel = TAKE_PTR(channel);
	*ret_reply = TAKE_PTR(reply);
	return 0;
}

int channel_ask(const char *path, uid_t trusted, json_t *request, json_t **ret_reply,
		struct text *error)
{
	CLEANUP(channel_freep) struct channel *channel = NULL;

	return channel_start(path, trusted, request, &channel, ret_reply, error);
}
