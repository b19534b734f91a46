/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Who is at the other end of a connection, from the kernel: the process that made it, the user, and
 * the cgroup. Decides nothing.
 */
#pragma once

#include <sys/types.h>

#include "lib/base/base.h"

/* Starts as { .pidfd = -1 }. */
struct peer {
	pid_t pid;
	uid_t uid;
	int pidfd;
};

/*
 * The process that connected, as long as it lives. -ESRCH where it has died, and its number may be
 * another's by now.
 */
int peer_of(int socket, struct peer *ret_peer);
bool peer_is_alive(const struct peer *peer);

/* Paths that /proc has of it, true of this very process. The caller frees. */
int peer_cgroup(const struct peer *peer, char **ret_path);
int peer_link(const struct peer *peer, const char *link, char **ret_path); /* "cwd", "exe" */

void peer_close(struct peer *peer);

#define OWNED_PEER CLEANUP(peer_close)
