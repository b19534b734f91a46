/* SPDX-License-Identifier: MPL-2.0 */
/*
 * One connection: lines in, lines out, one request at a time. It frees itself when it is over.
 */
#pragma once

#include <jansson.h>
#include <systemd/sd-event.h>

#include "grithd/base/base.h"

struct client;

/* What a connection needs of its holder. */
struct client_ops {
	/* One line: it is replied to, or starts a job. Never frees the client. */
	void (*request)(void *arg, struct client *client, const char *line, size_t length);
	/* Whether the unfinished requests of all clients are too many bytes. */
	bool (*is_full)(void *arg);
	/* It is freed next. */
	void (*gone)(void *arg, struct client *client);
};

/* A request that is not answered at once. */
struct job_ops {
	/*
	 * One step, taken again and again while client->stepping; it may end the job. -errno ends
	 * the connection. NULL: the job goes on by itself, and calls client_resume().
	 */
	int (*step)(struct client *client, void *job);
	void (*free)(void *job);
	bool follows_log; /* each growth of the log starts its steps */
};

struct client {
	const struct client_ops *ops;
	void *arg;
	int fd;
	struct peer peer;
	sd_event_source *io, *work; /* work: the next step of the job */
	struct lines in;
	struct text out;
	size_t sent; /* of `out` */
	const struct job_ops *job_ops;
	void *job; /* owned; NULL: no request is being answered */
	bool stepping;
	bool supervised; /* when it connected: has one of the places for those */
	bool no_more_input; /* the other side has sent all it will */
	bool last_reply; /* ends when everything was sent */
	uint64_t active; /* CLOCK_MONOTONIC, of the last byte in or out */
};

/* Takes over `fd` and the peer (leaving -1 in it) where it succeeds. */
int client_new(sd_event *event, const struct client_ops *ops, void *arg, int *fd, struct peer *peer,
	       struct client **ret_client);
void client_free(struct client *client);
DEFINE_CLEANUP(struct client, client_free)

/* Sends a reply; takes over the reference. NULL: there was no memory to make one. */
void client_reply(struct client *client, json_t *reply);

/*
 * The same for a line that is no reply to what the client sent last. It is sent by the event loop,
 * so the client is never freed by this; one that is far behind is given up.
 */
void client_push(struct client *client, json_t *line);

/* The request goes on as a job. */
void client_start_job(struct client *client, const struct job_ops *ops, void *job, bool stepping);
/* Frees the job, if there is one. */
void client_end_job(struct client *client);
/* Goes on after a job has ended by itself. May free the client. */
void client_resume(struct client *client);

/* There are new lines in the log. */
void client_log_grew(struct client *client);

/* Whether it has been silent for too long at time `now`. */
bool client_is_stale(const struct client *client, uint64_t now);
