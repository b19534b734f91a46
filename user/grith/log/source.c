/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The fast path: the event is cut out of grithd's lines by the bytes around it, without parsing
 * them into a tree. There may be millions.
 */
#include <fcntl.h>
#include <poll.h>

#include "grith/client/client.h"
#include "lib/proto/proto.h"
#include "source.h"

/* As grithd sends them. */
#define BEFORE "{\"v\":1,\"event\":"
#define AFTER "}"

struct log_source {
	char *name; /* of the socket or the directory, for messages */
	struct channel *channel; /* one of the two */
	struct log_query *query;
	bool ended;
	struct log_event_reader reader;
	struct log_event event;
	struct record_bytes line;
	uint64_t lost, damaged;
	bool current; /* grithd had no more when it sent the last line */
};

static struct log_source *source_new(const char *name)
{
	struct log_source *source = calloc(1, sizeof(*source));

	if (source)
		source->name = strdup(name);
	if (source && source->name)
		return source;
	free(source);
	return NULL;
}

void log_source_free(struct log_source *source)
{
	if (!source)
		return;
	channel_free(source->channel);
	log_query_free(source->query);
	log_event_reader_free(&source->reader);
	free(source->name);
	free(source);
}

int log_source_ask(const char *path, uid_t trusted, json_t *request, struct text *error,
		   struct log_source **ret_source)
{
	CLEANUP(log_source_freep) struct log_source *source = source_new(path);
	json_auto_t *reply = NULL;
	int r = -ENOMEM;

	if (source)
		r = channel_start(path, trusted, request, &source->channel, &reply, error);
	if (r == 0)
		*ret_source = TAKE_PTR(source);
	return r;
}

static void explain_directory(const char *directory, int r, struct text *error)
{
	text_addf(error, "cannot read the audit log in %s: %s", directory, strerror(-r));
	if (r == -EACCES || r == -EPERM)
		text_addf(error, "; only root can, and without --log-dir grithd gives everybody "
				 "what is theirs");
}

int log_source_question(const char *directory, struct log_question *question, struct text *error,
			struct log_source **ret_source)
{
	CLEANUP(log_source_freep) struct log_source *source = source_new(directory);
	OWNED_FD int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int r = fd < 0 ? -errno : source ? 0 : -ENOMEM;

	if (r == 0)
		r = log_query_new(TAKE_FD(fd), question, &source->query);
	else
		log_filter_free(&question->filter);
	if (r < 0) {
		explain_directory(directory, r, error);
		return r;
	}
	*ret_source = TAKE_PTR(source);
	return 0;
}

/* 1: it is an event now; 0: it was not one. */
static int take_event(struct log_source *source, const char *line, size_t length)
{
	int r = log_event_read(&source->reader, line, length, &source->event);

	if (r == -EBADMSG)
		source->damaged++;
	if (r < 0)
		return r == -EBADMSG ? 0 : r;
	source->line = (struct record_bytes) { line, length };
	source->current = false;
	return 1;
}

/* A line that is no event: the end, a loss, or something of a newer grithd. */
static int take_other(struct log_source *source, const char *line, size_t length)
{
	json_auto_t *json = json_loadb(line, length, JSON_REJECT_DUPLICATES, NULL);

	if (!json_is_object(json))
		return -EBADMSG;
	if (json_integer_value(json_object_get(json, "v")) != PROTO_VERSION)
		return -EPROTONOSUPPORT;
	source->ended = json_is_true(json_object_get(json, "end"));
	source->current |= json_is_true(json_object_get(json, "current"));
	source->lost += (uint64_t)json_integer_value(json_object_get(json, "lost"));
	source->damaged += (uint64_t)json_integer_value(json_object_get(json, "damaged"));
	return 0;
}

static int take_line(struct log_source *source, const char *line, size_t length)
{
	const size_t before = sizeof(BEFORE) - 1, around = before + sizeof(AFTER) - 1;

	if (length > around && !memcmp(line, BEFORE, before))
		return take_event(source, line + before, length - around);
	return take_other(source, line, length);
}

/* Reads what has come. -EAGAIN: nothing. */
static int read_more(struct channel *channel)
{
	struct pollfd poller = { .fd = channel_fd(channel), .events = POLLIN };
	int n = poll(&poller, 1, 0);

	if (n <= 0)
		return n < 0 && errno != EINTR ? -errno : -EAGAIN;
	return channel_read(channel);
}

static int next_from_channel(struct log_source *source)
{
	const char *line;
	size_t length;
	int r = 0;

	while (r == 0 && !source->ended) {
		r = channel_take_line(source->channel, &line, &length);
		if (r == 0)
			r = take_line(source, line, length);
		else if (r == -EAGAIN)
			r = read_more(source->channel);
	}
	return r;
}

static int next_from_files(struct log_source *source)
{
	enum log_step step = LOG_MORE;
	const char *line;
	size_t length;
	int r = 0;

	while (r == 0 && !source->ended) {
		if (log_query_line(source->query, &line, &length)) {
			r = take_event(source, line, length);
			continue;
		}
		r = log_query_step(source->query, &step);
		source->ended = step != LOG_MORE;
	}
	return r;
}

int log_source_next(struct log_source *source, const struct log_event **ret_event)
{
	int r = source->channel ? next_from_channel(source) : next_from_files(source);

	if (r == 1)
		*ret_event = &source->event;
	return r;
}

struct record_bytes log_source_line(const struct log_source *source)
{
	return source->line;
}

int log_source_fd(const struct log_source *source)
{
	return source->channel ? channel_fd(source->channel) : -1;
}

uint64_t log_source_lost(const struct log_source *source)
{
	return source->lost;
}

bool log_source_is_current(const struct log_source *source)
{
	return source->current;
}

uint64_t log_source_damaged(const struct log_source *source)
{
	return source->damaged + (source->query ? log_query_damaged(source->query) : 0);
}

void log_source_explain(const struct log_source *source, int r, struct text *error)
{
	if (source->channel)
		channel_explain(r, source->name, error);
	else
		explain_directory(source->name, r, error);
}

int wait_for_input(int in, int out)
{
	struct pollfd pollers[] = { { .fd = in, .events = POLLIN }, { .fd = out } };

	while (poll(pollers, ARRAY_SIZE(pollers), -1) < 0)
		if (errno != EINTR)
			return -errno;
	return !(pollers[1].revents & (POLLERR | POLLHUP));
}

int follow(struct log_source *source, int out, follow_event_fn *event, int (*idle)(void *arg),
	   void *arg)
{
	for (;;) {
		const struct log_event *next;
		int r = log_source_next(source, &next);

		if (r == 0)
			return 0;
		if (r == 1) {
			r = event(arg, next);
		} else if (r == -EAGAIN) {
			r = idle(arg);
			if (r == 0)
				r = wait_for_input(log_source_fd(source), out);
			if (r == 0)
				return 0;
		}
		if (r < 0)
			return r;
	}
}
