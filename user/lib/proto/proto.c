/* SPDX-License-Identifier: MPL-2.0 */
/* Words of the protocol, and the replies that every request can have. */

#include "proto.h"

static const char *const verbs[] = {
	[PROTO_STATUS] = "status", [PROTO_START] = "start",	[PROTO_LIST] = "list",
	[PROTO_KILL] = "kill",	   [PROTO_FREEZE] = "freeze",	[PROTO_THAW] = "thaw",
	[PROTO_LOG] = "log",	   [PROTO_REVIEWS] = "reviews", [PROTO_ANSWER] = "answer",
	[PROTO_WHY] = "why",	   [PROTO_TRUST] = "trust",	[PROTO_CANARY] = "canary",
};
_Static_assert(ARRAY_SIZE(verbs) == PROTO_VERBS, "a word for every verb");

static const char *const errors[] = {
	[PROTO_DENIED] = "denied",	 [PROTO_BAD_REQUEST] = "bad_request",
	[PROTO_NOT_FOUND] = "not_found", [PROTO_POLICY] = "policy",
	[PROTO_NO_SPACE] = "no_space",	 [PROTO_INTERNAL] = "internal",
	[PROTO_BAD_VERSION] = "version",
};
_Static_assert(ARRAY_SIZE(errors) == PROTO_ERRORS, "a word for every error");

static const char *const on_holds[] = {
	[PROTO_ON_HOLD_WAIT] = "wait",
	[PROTO_ON_HOLD_DENY] = "deny",
	[PROTO_ON_HOLD_ALLOW] = "allow",
};
_Static_assert(ARRAY_SIZE(on_holds) == PROTO_ON_HOLDS, "a word for each");

static const char *const scopes[] = {
	[PROTO_ONCE] = "once",
	[PROTO_SESSION] = "session",
	[PROTO_ALWAYS] = "always",
};
_Static_assert(ARRAY_SIZE(scopes) == PROTO_SCOPES, "a word for every scope");

static const char *const states[] = {
	[PROTO_WAITING] = "waiting", [PROTO_ALLOWED] = "allowed", [PROTO_REFUSED] = "denied",
	[PROTO_EXPIRED] = "expired", [PROTO_GONE] = "gone",
};
_Static_assert(ARRAY_SIZE(states) == PROTO_STATES, "a word for every state");

static const char *const actions[] = {
	[PROTO_CANARY_LIST] = "list",
	[PROTO_CANARY_ADD] = "add",
	[PROTO_CANARY_ROTATE] = "rotate",
	[PROTO_CANARY_REMOVE] = "remove",
};
_Static_assert(ARRAY_SIZE(actions) == PROTO_CANARY_ACTIONS, "a word for every action");

const char *proto_verb_name(enum proto_verb verb)
{
	return (unsigned int)verb < PROTO_VERBS ? verbs[verb] : NULL;
}

const char *proto_error_name(enum proto_error error)
{
	return (unsigned int)error < PROTO_ERRORS ? errors[error] : NULL;
}

const char *proto_on_hold_name(enum proto_on_hold on_hold)
{
	return (unsigned int)on_hold < PROTO_ON_HOLDS ? on_holds[on_hold] : NULL;
}

const char *proto_scope_name(enum proto_scope scope)
{
	return (unsigned int)scope < PROTO_SCOPES ? scopes[scope] : NULL;
}

const char *proto_state_name(enum proto_state state)
{
	return (unsigned int)state < PROTO_STATES ? states[state] : NULL;
}

const char *proto_canary_action_name(enum proto_canary_action action)
{
	return (unsigned int)action < PROTO_CANARY_ACTIONS ? actions[action] : NULL;
}

/* The index of the word, or -EINVAL. */
static int find_word(const char *const *words, size_t count, const char *word)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(words[i], word))
			return (int)i;
	return -EINVAL;
}

int proto_on_hold_parse(const char *name, enum proto_on_hold *ret_on_hold)
{
	int r = find_word(on_holds, ARRAY_SIZE(on_holds), name);

	if (r < 0)
		return r;
	*ret_on_hold = (enum proto_on_hold)r;
	return 0;
}

int proto_scope_parse(const char *name, enum proto_scope *ret_scope)
{
	int r = find_word(scopes, ARRAY_SIZE(scopes), name);

	if (r < 0)
		return r;
	*ret_scope = (enum proto_scope)r;
	return 0;
}

int proto_canary_action_parse(const char *name, enum proto_canary_action *ret_action)
{
	int r = find_word(actions, ARRAY_SIZE(actions), name);

	if (r < 0)
		return r;
	*ret_action = (enum proto_canary_action)r;
	return 0;
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
