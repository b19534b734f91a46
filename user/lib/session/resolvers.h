/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The servers that resolve this machine's names: a session may ask these and no others, for what a
 * query asks can carry data to whoever answers it.
 */
#pragma once

#include "lib/base/base.h"
#include "lib/policy/policy.h"

#define RESOLVERS_MAX 16 /* the C library takes 3 of a file */

/* Starts as {0}. */
struct resolvers {
	struct policy_prefix list[RESOLVERS_MAX]; /* single addresses */
	size_t count;
};

/* Adds those of a file in the form of resolv.conf(5); other lines are passed over. */
void resolvers_parse(const char *text, struct resolvers *resolvers);

/*
 * Adds those of this machine: of /etc/resolv.conf, and those that systemd-resolved asks itself. A
 * file that cannot be read has none.
 */
void resolvers_find(struct resolvers *resolvers);
