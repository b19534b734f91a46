/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Words for what goes wrong between a client and grithd: on the way to it, and in its replies.
 */
#include <string.h>

#include "lib/proto/proto.h"
#include "channel.h"
#include "installed.h"

void channel_explain(int r, const char *socket, struct text *error)
{
	OWNED_TEXT struct text shown = { 0 };
	const char *path = "?";

	if (text_add_escaped(&shown, socket, strlen(socket)) == 0)
		path = shown.data;
	switch (-r) {
	case ENOENT:
	case ECONNREFUSED:
	case ENOTDIR:
		text_addf(error,
			  "grithd is not running (socket %s): %s; 'systemctl start grithd' starts "
			  "it, 'grith doctor' says what it needs",
			  path, strerror(-r));
		return;
	case EUSERS:
		text_addf(error,
			  "the server at %s does not run as root, so it is not grithd; is another "
			  "socket meant? (--socket, " PROTO_SOCKET_ENV ")",
			  path);
		return;
	case ETIMEDOUT:
		text_addf(error, "grithd did not answer in time (socket %s)", path);
		return;
	case ECONNRESET:
	case EPIPE:
		text_addf(error,
			  "grithd ended the connection before its answer was complete (socket %s)",
			  path);
		return;
	case EMSGSIZE:
		text_addf(error, "grithd's answer is longer than %u MiB; the rest was not read",
			  PROTO_REPLY_MAX >> 20);
		return;
	case EBADMSG:
		text_addf(error, "the answer is not one of grithd's (socket %s)", path);
		return;
	case EPROTONOSUPPORT:
		text_addf(error,
			  "grithd (socket %s) speaks another version of the protocol than "
			  "this grith " GRITH_VERSION "; install both from one release",
			  path);
		return;
	default:
		text_addf(error, "cannot talk to grithd (socket %s): %s", path, strerror(-r));
	}
}

int channel_check(const json_t *reply, struct text *error)
{
	const json_t *details, *detail, *message, *problem;
	size_t i;

	if (json_is_true(json_object_get(reply, "ok")))
		return 0;

	problem = json_object_get(reply, "error");
	message = json_object_get(problem, "message");
	if (json_is_string(message))
		text_add_escaped(error, json_string_value(message), json_string_length(message));
	else
		text_addf(error, "grithd refused without giving a reason");

	details = json_object_get(problem, "details");
	json_array_foreach (details, i, detail) {
		text_add(error, "\n", 1);
		if (json_is_string(detail))
			text_add_escaped(error, json_string_value(detail),
					 json_string_length(detail));
	}
	return -EREMOTE;
}
