/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The language of the control socket: limits, names, and the reading of requests. grith-protocol(7)
 * describes it for people; the words are the same. Pure: who may ask what, and what is done about
 * it, is grithd's server.
 */
#pragma once

#include <jansson.h>

#include "lib/base/base.h"

#define PROTO_VERSION 1
#define PROTO_SOCKET "/run/grith/grithd.sock"
#define PROTO_SOCKET_ENV "GRITH_SOCKET" /* names another socket, for clients */
#define PROTO_SESSION_ENV "GRITH_SESSION" /* the session's id, in its processes */

/* Bytes of one line, without its newline. */
#define PROTO_REQUEST_MAX (64u << 10)
#define PROTO_START_MAX (8u << 20) /* "start", which carries the text of a policy */
#define PROTO_REPLY_MAX (16u << 20) /* what a client must be able to read */
#define PROTO_VALUES_MAX 4096 /* values and keys in one request, nested ones included */
#define PROTO_COMMAND_MAX 1024 /* words of a "start" command; clients leave out what is beyond */
#define PROTO_NAME_MAX 64 /* bytes of a session's name */
#define PROTO_LAST_MAX 100000 /* "last" of a "log" request */
#define PROTO_SCORE_MAX 1000 /* "score" of a "log" request */
#define PROTO_TIMEOUT_DEFAULT 300 /* seconds that a hold waits for a person, without "timeout" */
#define PROTO_TIMEOUT_MAX 604800
#define PROTO_REVIEWS_KEPT 3600 /* seconds that "all" goes back to reviews that were answered */
#define PROTO_REVIEW_MAX INT32_MAX /* the largest number of a review; they start at 1 */
#define PROTO_DIRECTORY_MAX 4095 /* bytes of a path in a request */
#define PROTO_KEY_MAX 1024 /* bytes of a key of learned trust */
#define PROTO_CANARY_MIN 8 /* bytes of a canary's value: shorter ones are found by chance */
#define PROTO_CANARY_MAX 256

/* Words of the protocol, each a line X(name, word). */
#define PROTO_VERB_TABLE(X)         \
	X(PROTO_STATUS, "status")   \
	X(PROTO_START, "start")     \
	X(PROTO_LIST, "list")       \
	X(PROTO_KILL, "kill")       \
	X(PROTO_FREEZE, "freeze")   \
	X(PROTO_THAW, "thaw")       \
	X(PROTO_LOG, "log")         \
	X(PROTO_REVIEWS, "reviews") \
	X(PROTO_ANSWER, "answer")   \
	X(PROTO_WHY, "why")         \
	X(PROTO_TRUST, "trust")     \
	X(PROTO_CANARY, "canary")   \
	X(PROTO_ANSWERS, "answers")
enum proto_verb { PROTO_VERB_TABLE(WORD_ENUM) PROTO_VERBS };

#define PROTO_ERROR_TABLE(X)                                                                      \
	X(PROTO_DENIED, "denied") /* the asker may not */                                         \
	X(PROTO_BAD_REQUEST, "bad_request") /* not understood, or something in it is not right */ \
	X(PROTO_NOT_FOUND, "not_found") /* no such session, review, entry, key or canary */       \
	X(PROTO_POLICY, "policy") /* the policy has errors; `details` has each with its place */  \
	X(PROTO_NO_SPACE, "no_space") /* a limit was reached; the message names it */             \
	X(PROTO_INTERNAL, "internal")                                                             \
	X(PROTO_BAD_VERSION, "version") /* "v" is not PROTO_VERSION */
enum proto_error { PROTO_ERROR_TABLE(WORD_ENUM) PROTO_ERRORS };

/* What happens in a session to what needs a person's answer. */
#define PROTO_ON_HOLD_TABLE(X)                                                                 \
	X(PROTO_ON_HOLD_WAIT, "wait") /* it is held until there is one, or the time is over */ \
	X(PROTO_ON_HOLD_DENY, "deny")                                                          \
	X(PROTO_ON_HOLD_ALLOW, "allow")
enum proto_on_hold { PROTO_ON_HOLD_TABLE(WORD_ENUM) PROTO_ON_HOLDS };

/* How far an answer reaches. */
#define PROTO_SCOPE_TABLE(X)                                                                    \
	X(PROTO_ONCE, "once") /* those that wait now; where none could be held, the next try */ \
	X(PROTO_SESSION,                                                                        \
	  "session") /* the same operation on the same object, until the session ends */        \
	X(PROTO_ALWAYS, "always") /* in later sessions of the same user and profile, too */
enum proto_scope { PROTO_SCOPE_TABLE(WORD_ENUM) PROTO_SCOPES };

/* State of a review. */
#define PROTO_STATE_TABLE(X)                                    \
	X(PROTO_WAITING, "waiting")                             \
	X(PROTO_ALLOWED, "allowed")                             \
	X(PROTO_REFUSED, "denied") /* "denied": by an answer */ \
	X(PROTO_EXPIRED, "expired") /* denied: time-out */      \
	X(PROTO_GONE, "gone") /* all processes that waited have ended */
enum proto_state { PROTO_STATE_TABLE(WORD_ENUM) PROTO_STATES };

#define PROTO_CANARY_ACTION_TABLE(X)     \
	X(PROTO_CANARY_LIST, "list")     \
	X(PROTO_CANARY_ADD, "add")       \
	X(PROTO_CANARY_ROTATE, "rotate") \
	X(PROTO_CANARY_REMOVE, "remove")
enum proto_canary_action { PROTO_CANARY_ACTION_TABLE(WORD_ENUM) PROTO_CANARY_ACTIONS };

/* One request. Strings point into `json`, which the request owns; those not given are NULL. */
struct proto_request {
	json_t *json;
	enum proto_verb verb;
	const char *session; /* kill, freeze, thaw: always given; log, reviews, why, answers */

	/* start */
	const char **command; /* n_command words, at least one; the array is owned */
	size_t n_command;
	const char *profile; /* not together with policy_text */
	const char *policy_name, *policy_text;
	size_t policy_length;
	const char *name;
	bool observe;
	enum proto_on_hold on_hold;
	int64_t timeout; /* seconds, 1 to PROTO_TIMEOUT_MAX; always there */

	/* log; -1 where a number was not given */
	const char *op, *verdict, *program;
	const char *path; /* canary, too: absolute there, and not just "/" */
	const char *rule; /* a pattern, as program and path are */
	int64_t since, until; /* seconds back from now */
	const char *since_time, *until_time; /* or as log_time_parse() reads it */
	bool by_score;
	int score; /* at least; hundredths */
	int64_t last; /* at most so many lines of what is there already */
	bool reverse; /* the newest first; not together with `follow` */
	bool refused; /* only what was refused, or would have been without observe mode */
	bool follow; /* reviews, too */

	/* reviews */
	bool all; /* those that were answered in the last PROTO_REVIEWS_KEPT seconds as well */

	/* answer */
	uint64_t review; /* 1 to PROTO_REVIEW_MAX */
	bool allow;
	enum proto_scope scope;
	const char *directory; /* absolute, below "/"; only with PROTO_SESSION or PROTO_ALWAYS */

	/* why: exactly one of the two is given; whether a session is needed depends on the asker */
	int64_t event; /* "seq" of an entry of the log in its session; -1: not given */
	bool newest; /* the last thing that was refused or held */

	/* answers; `session` is above */
	int64_t revoke; /* the answer to this review; 0: all; -1: none, only list */

	/* trust: NULL: only list; "all", or a key as listed */
	const char *reset;

	/* canary; `path` is above. `name` is given for all but LIST, and is valid. */
	enum proto_canary_action action;
	const char *value; /* ADD: either this or `path`; ROTATE: may be given, for a value */
};

/*
 * Reads one line. 0 and a request that proto_request_free() frees, or a negative errno and, in
 * `why`, a sentence for the asker: -EPROTONOSUPPORT (another version), -EINVAL, -E2BIG, -ENOMEM.
 */
int proto_request_parse(const char *line, size_t length, char *why, size_t why_size,
			struct proto_request **ret_request);
void proto_request_free(struct proto_request *request);
DEFINE_CLEANUP(struct proto_request, proto_request_free)

/* "status", "start", ...; "denied", "bad_request", ... */
const char *proto_verb_name(enum proto_verb verb);
const char *proto_error_name(enum proto_error error);

/* "wait", ...; "once", ...; "waiting", ...; "list", ... Each is NULL for what it does not know. */
const char *proto_on_hold_name(enum proto_on_hold on_hold);
const char *proto_scope_name(enum proto_scope scope);
const char *proto_state_name(enum proto_state state);
const char *proto_canary_action_name(enum proto_canary_action action);

/* 0, or -EINVAL for a word that they do not know; then the out-parameter is untouched. */
int proto_verb_parse(const char *name, enum proto_verb *ret_verb);
int proto_on_hold_parse(const char *name, enum proto_on_hold *ret_on_hold);
int proto_scope_parse(const char *name, enum proto_scope *ret_scope);
int proto_canary_action_parse(const char *name, enum proto_canary_action *ret_action);

/*
 * {"v":1,"ok":false,"error":{...}}. `details` is an array of strings and may be NULL; the reference
 * to it is taken over. NULL: no memory. The caller owns what is returned.
 */
json_t *proto_error_reply(enum proto_error error, const char *message, json_t *details);

/* {"v":1,"ok":true}, for the caller to add to; NULL: no memory. */
json_t *proto_ok_reply(void);

/*
 * A session's name: 1 to PROTO_NAME_MAX bytes of letters, digits, '-', '_' and '.', the first one a
 * letter or digit.
 */
bool proto_name_valid(const char *name);

/*
 * A path as requests have them: absolute, at most PROTO_DIRECTORY_MAX bytes, more than "/", without
 * empty, "." and ".." components and without a slash at its end.
 */
bool proto_path_valid(const char *path);
