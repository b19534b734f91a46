/* SPDX-License-Identifier: MPL-2.0 */
/* Words of the protocol, and the replies that every request can have. */
#include "proto.h"

static const char *const verbs[] = { PROTO_VERB_TABLE(WORD_OF) };
static const char *const errors[] = { PROTO_ERROR_TABLE(WORD_OF) };
static const char *const on_holds[] = { PROTO_ON_HOLD_TABLE(WORD_OF) };
static const char *const scopes[] = { PROTO_SCOPE_TABLE(WORD_OF) };
static const char *const states[] = { PROTO_STATE_TABLE(WORD_OF) };
static const char *const actions[] = { PROTO_CANARY_ACTION_TABLE(WORD_OF) };

DEFINE_NAME(proto_verb, enum proto_verb, verbs)
DEFINE_NAME(proto_error, enum proto_error, errors)
DEFINE_NAME(proto_on_hold, enum proto_on_hold, on_holds)
DEFINE_NAME(proto_scope, enum proto_scope, scopes)
DEFINE_NAME(proto_state, enum proto_state, states)
DEFINE_NAME(proto_canary_action, enum proto_canary_action, actions)
DEFINE_PARSE(proto_verb, enum proto_verb, verbs)
DEFINE_PARSE(proto_on_hold, enum proto_on_hold, on_holds)
DEFINE_PARSE(proto_scope, enum proto_scope, scopes)
DEFINE_PARSE(proto_canary_action, enum proto_canary_action, actions)

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

bool proto_path_valid(const char *path)
{
	size_t length = strlen(path);

	if (path[0] != '/' || length > PROTO_DIRECTORY_MAX)
		return false;
	while (*path) {
		size_t component = strcspn(++path, "/");

		if (component == 0 || (component == 1 && path[0] == '.') ||
		    (component == 2 && path[0] == '.' && path[1] == '.'))
			return false;
		path += component;
	}
	return true;
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
