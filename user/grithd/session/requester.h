/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Who asks for a session, as the policy's placeholders need it: the user, their home directory, and
 * the directory they are in, which is the project.
 */
#pragma once

#include "grithd/base/base.h"
#include "lib/session/session.h"

/* Owns its strings. Starts as {0}. */
struct requester {
	char *user; /* the name, or the number of a user without one */
	char *home; /* absolute, resolved; one that does not exist for a user without one */
	char *project; /* absolute, resolved */
	uint64_t mounts; /* inode number of their mount namespace */
	struct repository repository; /* that the project lies in */
	struct resolvers resolvers; /* of this machine */
};

/*
 * 0, or -errno and a sentence for the requester in `why`; -EINVAL where it is the requester's to
 * change.
 */
int requester_find(const struct peer *peer, struct requester *ret_requester, char *why,
		   size_t why_size);
void requester_free(struct requester *requester);

#define OWNED_REQUESTER CLEANUP(requester_free)
