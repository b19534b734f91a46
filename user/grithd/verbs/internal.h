/* SPDX-License-Identifier: MPL-2.0 */
/* Each request, and what several of them need. Only for this room. */
#pragma once

#include "verbs.h"

/* These reply at once. NULL: no memory. */
typedef json_t *verb_fn(struct verbs *verbs, struct client *client,
			const struct proto_request *request);
verb_fn verb_status, verb_answer, verb_trust, verb_answers, verb_log;

/* These reply now, or at the end of a job. */
void verb_list(struct verbs *verbs, struct client *client);
void verb_reviews(struct verbs *verbs, struct client *client, const struct proto_request *request);
void verb_canary(struct verbs *verbs, struct client *client, const struct proto_request *request);
/* Takes the request over. */
void verb_start(struct verbs *verbs, struct client *client, struct proto_request *request);
/* `own` is the session that the requester is in, about which alone it may ask; NULL: none. */
void verb_why(struct verbs *verbs, struct client *client, const struct proto_request *request,
	      struct session *own);

/* How long a step of a job may take: others wait for it. */
#define STEP_NS UINT64_C(2000000)

/* --- replies */

/* With one more field. Takes over the value; NULL: no memory. */
json_t *reply_with(const char *name, json_t *value);
json_t *reply_bad_request(const char *message);
/* PROTO_INTERNAL: "WHAT: the error". */
json_t *reply_failed(const char *what, int r);
/* For a session that sessions_find() did not find. */
json_t *reply_no_session(int r, const char *name);

/* --- visibility.c: whose lines of the log a client may see */

#define VISIBILITY_KNOWN 32

/* For one request. Starts as { .verbs, .uid }. */
struct visibility {
	struct verbs *verbs;
	uint32_t uid;
	struct {
		char session[SESSION_ID_LENGTH + 1];
		bool may;
	} known[VISIBILITY_KNOWN]; /* as far as it was asked */
	unsigned int next; /* to be replaced */
};

/* A log_query_may_fn, for each line that would be sent: `arg` is a struct visibility. */
bool visibility_allows(void *arg, const char *session);

/* The id of the session that is meant: one that runs, or one that has ended. */
int visibility_find(const struct visibility *visibility, const char *name,
		    char ret_id[SESSION_ID_LENGTH + 1]);

/* --- rule.c */

/*
 * The line that `rule` ("FILE:LINE") names, in a file of the directory, as it stands there now.
 * -ENOENT where the rule is of another place, such as a text that the session was started with.
 */
int rule_text_read(const char *directory, const char *rule, struct text *ret_text);
