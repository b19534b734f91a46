/* SPDX-License-Identifier: MPL-2.0 */
/* Words of the protocol, and the replies that every request can have. */
#include <string.h>

#include "proto.h"
#include "text.h"

static const char *const verbs[] = {
	[PROTO_STATUS] = "status", [PROTO_START] = "start",   [PROTO_LIST] = "list",
	[PROTO_KILL] = "kill",	   [PROTO_FREEZE] = "freeze", [PROTO_THAW] = "thaw",
	[PROTO_LOG] = "log",
};
_Static_assert(ARRAY_SIZE(verbs) == PROTO_VERBS, "a word for every verb");

static const char *const errors[] = {
	[PROTO_DENIED] = "denied",	 [PROTO_BAD_REQUEST] = "bad_request",
	[PROTO_NOT_FOUND] = "not_found", [PROTO_POLICY] = "policy",
	[PROTO_NO_SPACE] = "no_space",	 [PROTO_INTERNAL] = "internal",
	[PROTO_BAD_VERSION] = "version",
};
_Static_assert(ARRAY_SIZE(errors) == PROTO_ERRORS, "a word for every error");

const char *proto_verb_name(enum proto_verb verb)
{
	return (unsigned int)verb < PROTO_VERBS ? verbs[verb] : NULL;
}

const char *proto_error_name(enum proto_error error)
{
	return (unsigned int)error < PROTO_ERRORS ? errors[error] : NULL;
}

bool proto_name_valid(const char *name)
{
	static const char inside[] =
		"-_."
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	static const char *const first = inside + 3;
	size_t length = strlen(name);

	return length >= 1 && length <= PROTO_NAME_MAX && strchr(first, name[0]) &&
	       strspn(name, inside) == length;
}

json_t *proto_ok_reply(void)
{
	return json_pack("{s:i, s:b}", "v", PROTO_VERSION, "ok", 1);
}

json_t *proto_error_reply(enum proto_error error, const char *message, json_t *details)
{
	OWNED_TEXT struct text safe = { 0 };
	json_t *reply = NULL;

	/* A message may quote the request, cut in the middle of a character. */
	if (text_add_escaped(&safe, message, strlen(message)) == 0)
		reply = json_pack("{s:i, s:b, s:{s:s, s:s}}", "v", PROTO_VERSION, "ok", 0, "error",
				  "code", proto_error_name(error), "message",
				  safe.data ? safe.data : "");
	if (!reply || !details ||
	    json_object_set(json_object_get(reply, "error"), "details", details) == 0) {
		json_decref(details);
		return reply;
	}
	json_decref(details);
	json_decref(reply);
	return NULL;
}
