/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Asking grithd for a session: the request from what the caller typed, and, in the process that
 * asks, everything from the request to the running command.
 */
#pragma once

#include <sys/types.h>

#include <jansson.h>

#include "lib/base/base.h"

/* What a command that could not be run exits with, as env(1) and the shell do. */
enum launch_exit {
	LAUNCH_FAILED = 125, /* no session */
	LAUNCH_NOT_EXECUTABLE = 126,
	LAUNCH_NOT_FOUND = 127,
};

/* All borrowed; those not given are NULL. */
struct launch {
	const char *socket;
	uid_t trusted; /* the user besides root that may run the server: see channel_open() */
	const char *profile;
	const char *policy_name, *policy_text;
	const char *name;
	bool observe;
	const char *on_hold; /* a word of the protocol */
	uint64_t timeout; /* seconds; 0: not given */
	const char *program; /* the file */
	char **argv; /* the command as typed, NULL-terminated */
};

/*
 * The "start" request, the caller's; NULL: no memory. Words that are not UTF-8 are escaped, and
 * what is beyond the protocol's limit is left out: the record of the exec has the exact ones.
 */
json_t *launch_request(const struct launch *launch);

/*
 * The text of a policy file, read with the caller's rights: 0 and the text, which the caller
 * frees, or a negative errno, -EFBIG beyond POLICY_TEXT_MAX and -EILSEQ where it is not UTF-8.
 */
int launch_read_policy(const char *path, char **ret_text);

/*
 * Asks grithd to place the calling process in a new session. 0 and the reply, the caller's, whose
 * "session" is there and harmless; or a negative errno and in `error` what to print.
 */
int launch_ask(const struct launch *launch, json_t *request, json_t **ret_reply,
	       struct text *error);

/* What grithd wants the caller to know about the session: lines to print, or nothing. */
void launch_notes(const json_t *reply, struct text *out);

/*
 * One line about how to ask why something was refused and how to answer what is held: grithd's,
 * where it sent one, else our own.
 */
void launch_hint(const json_t *reply, struct text *out);

/*
 * Becomes the command, in the process that launch_ask() had placed. Returns only on failure: the
 * status to exit with, and in `error` what to print.
 */
int launch_execute(const struct launch *launch, const json_t *reply, struct text *error);
