/* SPDX-License-Identifier: MPL-2.0 */
/*
 * One connection: lines in, lines out, one request at a time. It frees itself when it is over.
 */
#pragma once

#include <systemd/sd-event.h>

#include "grithd/audit/audit.h"
#include "grithd/base/base.h"
#include "lib/base/base.h"
#include "lib/proto/proto.h"

struct review;
struct server;
struct start;
struct why_search;

#define CLIENT_SIGHTS 32

struct client {
	struct server *server;
	int fd;
	struct peer peer;
	sd_event_source *io, *work; /* work: the next step of reading the log */
	struct lines in;
	struct text out;
	size_t sent; /* of `out` */
	struct log_reader *reader; /* of a `log` request that is being answered */
	uint64_t lost_before; /* lines of the log given up before the reader looked last */
	struct sight { /* whose lines the user may see, as far as it was asked */
		char session[SESSION_ID_LENGTH + 1];
		bool may;
	} sights[CLIENT_SIGHTS];
	unsigned int next_sight; /* to be replaced */
	struct client_follow { /* a `reviews` request that goes on */
		bool on;
		char session[SESSION_ID_LENGTH + 1]; /* empty: of all */
	} follow;
	bool more; /* there may be something that the reader has not read */
	bool late; /* the follower was not told since that there is no more */
	struct why_search *why; /* of a `why` request that is being answered */
	struct start *start; /* of a `start` request that is being answered */
	bool supervised; /* when it connected: has one of the places for those */
	bool no_more_input; /* the other side has sent all it will */
	bool last_reply; /* ends when everything was sent */
	uint64_t active; /* CLOCK_MONOTONIC, of the last byte in or out */
};

/* Takes over `fd` and the peer (leaving -1 in it) where it succeeds. */
int client_new(struct server *server, int *fd, struct peer *peer, struct client **ret_client);
void client_free(struct client *client);
DEFINE_CLEANUP(struct client, client_free)

/* Sends a reply; takes over the reference. NULL: there was no memory to make one. */
void client_reply(struct client *client, json_t *reply);

/* Goes on after a reply that took its time. May free the client. */
void client_resume(struct client *client);

/* Looks whether there is anything new to send from the log. */
void client_log_grew(struct client *client);

/* Tells it of a review, if it wants to hear. Never frees the client. */
void client_review_changed(struct client *client, const struct review *review);

/* Whether it has been silent for too long at time `now`. */
bool client_is_stale(const struct client *client, uint64_t now);

/* Bytes of an unfinished request. */
size_t client_held(const struct client *client);
