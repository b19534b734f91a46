/* SPDX-License-Identifier: MPL-2.0 */
/* Replies of more than one request. */
#include "internal.h"

json_t *reply_with(const char *name, json_t *value)
{
	json_t *reply = proto_ok_reply();

	if (reply && json_object_set(reply, name, value) < 0) {
		json_decref(reply);
		reply = NULL;
	}
	json_decref(value);
	return reply;
}

json_t *reply_bad_request(const char *message)
{
	return proto_error_reply(PROTO_BAD_REQUEST, message, NULL);
}

json_t *reply_failed(const char *what, int r)
{
	char message[256];

	snprintf(message, sizeof(message), "%s: %s", what, strerror(-r));
	return proto_error_reply(PROTO_INTERNAL, message, NULL);
}

json_t *reply_no_session(int r, const char *name)
{
	char message[PROTO_NAME_MAX + 128];

	snprintf(message, sizeof(message),
		 r == -ENOTUNIQ ? "several sessions are called %.*s: give the id"
				: "there is no session %.*s",
		 PROTO_NAME_MAX, name);
	return proto_error_reply(PROTO_NOT_FOUND, message, NULL);
}
