/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The control socket: accepts connections, bounds how many there are, and ends those that are
 * silent. Does not know what is asked on them.
 */
#pragma once

#include "client.h"

/* Starts as { .fd = -1 } with the members up to `root` set. */
struct server {
	void (*request)(void *arg, struct client *client, const char *line, size_t length);
	void *arg;
	sd_event *event;
	const char *root; /* path of the cgroup whose processes are supervised */
	char *path; /* of the socket, once it is ours */
	int fd;
	sd_event_source *listen, *sweep;
	struct client *clients[SERVER_CLIENTS_MAX + SERVER_CLIENTS_SUPERVISED];
	size_t count;
};

/* 0 or -errno; -EADDRINUSE where another program listens there. */
int server_start(struct server *server, const char *path);
void server_stop(struct server *server);

/* There are new lines in the log. */
void server_log_grew(struct server *server);

/* Ends clients that have been silent for too long at time `now` (CLOCK_MONOTONIC). */
void server_sweep(struct server *server, uint64_t now);
