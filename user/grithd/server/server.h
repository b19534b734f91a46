/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The control socket: accepts connections, bounds how many there are, and ends those that are
 * silent. What is said on one is client.c's matter.
 */
#pragma once

#include <systemd/sd-event.h>

#include "lib/base/base.h"

struct client;
struct daemon;
struct review;

#define SERVER_CLIENTS_MAX 64
#define SERVER_CLIENTS_RESERVED 8 /* of them: for root */
#define SERVER_CLIENTS_PER_USER 16 /* other than root */
#define SERVER_CLIENTS_SUPERVISED 8 /* and so many that are supervised, beside the others */
#define SERVER_HELD_MAX (32u << 20) /* bytes of unfinished requests, of all clients together */

struct server {
	struct daemon *daemon;
	char *path; /* of the socket, once it is ours */
	int fd;
	sd_event_source *listen, *sweep;
	struct client *clients[SERVER_CLIENTS_MAX + SERVER_CLIENTS_SUPERVISED];
	size_t count;
};

/* -EADDRINUSE where another program listens there. */
int server_new(struct daemon *daemon, const char *path, struct server **ret_server);
void server_free(struct server *server);
DEFINE_CLEANUP(struct server, server_free)

/* Takes a client out of the list; the client calls it when it is freed. */
void server_forget(struct server *server, struct client *client);

/* There are new lines in the log. */
void server_log_grew(struct server *server);

/* A review is new or has changed. */
void server_review_changed(struct server *server, const struct review *review);

/* Bytes of unfinished requests. */
size_t server_held(const struct server *server);
