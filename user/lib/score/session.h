/* SPDX-License-Identifier: MPL-2.0 */
/* What the filters remember of one session. */
#pragma once

#include "operation.h"

struct score_session;

struct score_session *score_session_new(void); /* NULL: no memory */
void score_session_free(struct score_session *session);
DEFINE_CLEANUP(struct score_session, score_session_free)

/* How many operations of that kind were tracked so far. */
uint64_t score_session_count(const struct score_session *session, enum grith_op op);

/* Registers a value that must never leave. -ENOMEM, -E2BIG (too long or too many). */
int score_session_add_canary(struct score_session *session, const char *name, const char *value);

/* --- only for user/lib/score: what the filters read ---*/

#define SCORE_CANARIES_MAX 32
#define SCORE_TAINTED_MAX 64 /* names of sources that are remembered; beyond it the oldest goes */
#define SCORE_FORMS 7 /* of a canary: plain, hexadecimal twice, base64 at three offsets, reversed */

struct score_canary {
	char *name;
	char *forms[SCORE_FORMS];
};

struct score_tainted {
	char *path; /* NULL: a free place */
	uint64_t time;
};

struct score_session {
	struct score_canary canaries[SCORE_CANARIES_MAX];
	size_t n_canaries;
	bool armed; /* a canary's file was read */
	uint64_t operations, counts[GRITH_OPS];
	struct score_tainted tainted[SCORE_TAINTED_MAX];
	size_t next_tainted;
	uint64_t source[GRITH_SOURCES]; /* when such a source was read last; 0: never */
	uint64_t env_read; /* when a .env file was; 0: never */
	uint64_t high_by_others; /* a source of GRITH_SOURCE_HIGH, but not an ssh key by ssh */
};

/* Takes in what an operation means for later ones. False: no memory, and so it is not known. */
bool score_remember(struct score_session *session, const struct score_operation *operation);

/* Whether `seconds` have not passed since `since`; false where that is 0. */
bool score_is_recent(uint64_t since, uint64_t now, size_t seconds);

/* Whether a source of secrets was read within so many seconds. */
bool score_source_is_recent(const struct score_session *session, uint64_t now, size_t seconds);

/* Whether the operation's program is the ssh of the system. */
bool score_is_ssh(const struct score_operation *operation);
