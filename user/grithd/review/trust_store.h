/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What was learned from answers, per user, in trust.json of the state directory. How it is counted
 * is lib/score/trust.h.
 */
#pragma once

#include <jansson.h>

#include "subject.h"

struct user_trust;

/* Starts as TRUST_STORE_CLOSED. */
struct trust_store {
	int directory;
	struct user_trust *users;
	size_t count;
};
#define TRUST_STORE_CLOSED ((struct trust_store) { .directory = -1 })

/* -errno; a damaged file is -EBADMSG and stays as it is. */
int trust_store_open(struct trust_store *store, const char *state_directory);
void trust_store_free(struct trust_store *store);

/*
 * Adds what is known to the score. True where that is enough to allow it. `weights` is not NULL.
 */
bool trust_store_apply(struct trust_store *store, const struct score_weights *weights,
		       const struct session *session, const struct subject *subject,
		       struct score *score);

/* Counts a person's answer, and writes it down. 0 or -errno. */
int trust_store_note(struct trust_store *store, const struct score_weights *weights,
		     const struct session *session, const struct subject *subject,
		     enum trust_answer answer);

/* As the protocol has it; `uid` 0: of all users. The caller owns it; NULL: no memory. */
json_t *trust_store_to_json(struct trust_store *store, const struct score_weights *weights,
			    uint32_t uid);

/* The key that an answer for the subject is learned under, as listed; empty: nothing is. */
void trust_store_name(const struct session *session, const struct subject *subject,
		      char ret_name[PROTO_KEY_MAX + 1]);

/* Forgets these keys, as listed, of whichever user. 0 or -errno. */
int trust_store_forget(struct trust_store *store, const char **names, size_t count);

/* Forgets one key, as listed, or all (NULL), of `uid` or of all users (0). -ENOENT, -errno. */
int trust_store_reset(struct trust_store *store, uint32_t uid, const char *key);
