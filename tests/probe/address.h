/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Socket addresses as the probe's arguments name them.
 */
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

struct address {
	union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
		struct sockaddr_un un;
	};
	socklen_t length;
};

/* "127.0.0.1" "80", "::1" "80". 0 or PROBE_UNTRIED. */
int parse_inet(const char *host, const char *port, struct address *ret_address);

/* A path, or "@name" for an abstract name. 0 or PROBE_UNTRIED. */
int parse_unix(const char *name, struct address *ret_address);
