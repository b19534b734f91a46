/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The `start` request: reads the policy, has its host names looked up, makes the session, places
 * the asker in it, and replies. Takes a moment because of the names, so it is an object.
 */
#pragma once

#include "lib/base/base.h"
#include "lib/proto/proto.h"

struct client;
struct start;

/*
 * Takes the request over. The reply goes to the client, now or later; while it is outstanding,
 * client->start is set.
 */
void start_begin(struct client *client, struct proto_request *request);

/* Gives it up, as when the connection ends. Accepts NULL. */
void start_free(struct start *start);
DEFINE_CLEANUP(struct start, start_free)
