/* SPDX-License-Identifier: MPL-2.0 */
/* A server that plays grithd for the tests of `grith top`. Failures end the test. */
#pragma once

#define SERVER_LOG "{\"do\":\"log\",\"follow\":true,\"last\":1000,\"v\":1}"
#define SERVER_OK "{\"v\":1,\"ok\":true}\n"

/* One a process. The descriptors are those of the connections, in the order of the requests. */
struct top_server {
	char path[64]; /* of the socket */
	int listener, log, reviews, list;
};
extern struct top_server server;

void server_set_up(void);
void server_tear_down(void);

/* The next connection, which asks this (NULL: anything), and is told that. */
int server_accept(const char *expected, const char *told);

/* The three connections of a feed, whose question to the log is this. */
void server_accept_all(const char *log);

void server_send(int fd, const char *text);

/* Refused reads, of when the test began, with these numbers. */
void server_send_events(unsigned int first, unsigned int count, const char *name);
