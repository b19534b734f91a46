/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The language of the control socket: limits, names, and the reading of requests. grith-protocol(7)
 * describes it for people; the words are the same. Pure: who may ask what, and what is done about
 * it, is grithd's server.
 */
#ifndef GRITH_PROTO_H
#define GRITH_PROTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "cleanup.h"

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

enum proto_verb {
	PROTO_STATUS,
	PROTO_START,
	PROTO_LIST,
	PROTO_KILL,
	PROTO_FREEZE,
	PROTO_THAW,
	PROTO_LOG,
	PROTO_VERBS,
};

enum proto_error {
	PROTO_DENIED, /* the asker may not */
	PROTO_BAD_REQUEST, /* not understood, or something in it is not right */
	PROTO_NOT_FOUND, /* no such session */
	PROTO_POLICY, /* the policy has errors; `details` has each with its place */
	PROTO_NO_SPACE, /* a limit was reached; the message names it */
	PROTO_INTERNAL,
	PROTO_BAD_VERSION, /* "v" is not PROTO_VERSION */
	PROTO_ERRORS,
};

/* One request. Strings point into `json`, which the request owns; those not given are NULL. */
struct proto_request {
	json_t *json;
	enum proto_verb verb;
	const char *session; /* kill, freeze, thaw: always given; log */

	/* start */
	const char **command; /* n_command words, at least one; the array is owned */
	size_t n_command;
	const char *profile; /* not together with policy_text */
	const char *policy_name, *policy_text;
	size_t policy_length;
	const char *name;
	bool observe;

	/* log; -1 where a number was not given */
	const char *op, *verdict, *program, *path;
	int64_t since; /* seconds back from now */
	int64_t last; /* at most so many lines of what is there already */
	bool refused; /* only what was refused, or would have been without observe mode */
	bool follow;
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

#endif
