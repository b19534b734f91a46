/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What each request of the protocol does, and who may ask for it.
 */
#pragma once

#include "client.h"

struct review;
struct session;

/* Answers a request, now or later. Takes the request over. */
void verb_run(struct client *client, struct proto_request *request);

/* The same for an asker inside of `session`, who may ask why, about that session. */
void verb_run_supervised(struct client *client, struct proto_request *request,
			 struct session *session);

/* The reply for a session that sessions_find() did not find. */
json_t *verb_no_session(int r, const char *name);

/* The session that a request about the log means: one that runs, or one that has ended. */
int verb_find_logged(struct client *client, const char *name, char ret_id[SESSION_ID_LENGTH + 1]);

/* Whether a client may see the lines of a session. */
bool verb_may_see(struct client *client, const char *session);

json_t *verb_status(struct daemon *daemon);
json_t *verb_list(struct daemon *daemon, const struct peer *peer);

/* With client->follow set where the asker wants to hear of changes. */
json_t *verb_reviews(struct client *client, const struct proto_request *request);
json_t *verb_answer(struct client *client, const struct proto_request *request);
/* Whether the client may hear of it, and wants to. */
bool verb_may_see_review(const struct client *client, const struct review *review);

/*
 * Replies, or starts a search that client->why has. `own` is the session that the asker is in;
 * NULL: it is not supervised.
 */
void verb_why(struct client *client, const struct proto_request *request, struct session *own);
/* Goes on with the search; replies, and ends it, where it is over. */
void verb_why_step(struct client *client);

json_t *verb_trust(struct client *client, const struct proto_request *request);
json_t *verb_canary(struct client *client, const struct proto_request *request);
