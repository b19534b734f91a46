/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The names of the addresses that the hosts of a session's policy had at its start; of several
 * names for one address, the first one of the policy. What a program resolves for itself is not
 * known here, so that nothing it does can give an address a name.
 */
#pragma once

#include <jansson.h>

#include "lib/policy/policy.h"

#define SESSION_HOSTS_MAX 4096 /* addresses; later ones are not kept */

struct session_host {
	uint8_t address[16]; /* IPv4 as ::ffff:a.b.c.d */
	char *name;
};

/* In the order of the addresses, each of them once. Starts as {0}. */
struct session_hosts {
	struct session_host *list;
	size_t count;
};

/* 0 or -ENOMEM; then `hosts` is untouched. It must be empty. */
int session_hosts_set(struct session_hosts *hosts, const struct policy_host *found, size_t n_found);
void session_hosts_free(struct session_hosts *hosts);

/* NULL: not known. */
const char *session_hosts_name(const struct session_hosts *hosts, const uint8_t address[16]);

/* [["name", "address"], ...], which the caller owns; NULL: no memory. */
json_t *session_hosts_to_json(const struct session_hosts *hosts);

/* NULL is an empty list. 0, -EBADMSG or -ENOMEM. */
int session_hosts_from_json(json_t *json, struct session_hosts *hosts);
