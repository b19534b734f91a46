/* SPDX-License-Identifier: MPL-2.0 */
/* Messages for what goes wrong between a client and grithd: the connection, and its replies. */
#include "grith/base/base.h"
#include "lib/proto/proto.h"
#include "channel.h"
#include "installed.h"

#define START "; 'systemctl start grithd' starts it, 'grith doctor' says what it needs"
#define ENDED "grithd ended the connection before its answer was complete (socket "

/* The text before the name of the socket, and after it; with a remedy, the error's own between. */
static const struct {
	int error;
	const char *before, *after, *remedy;
} failures[] = {
	{ ENOENT, "grithd is not running (socket ", ")", START },
	{ ECONNREFUSED, "grithd is not running (socket ", ")", START },
	{ ENOTDIR, "grithd is not running (socket ", ")", START },
	{ EUSERS, "the server at ",
	  " does not run as root, so it is not grithd; is another socket meant? (--socket, " PROTO_SOCKET_ENV
	  ")",
	  NULL },
	{ ETIMEDOUT, "grithd did not answer in time (socket ", ")", NULL },
	{ ECONNRESET, ENDED, ")", NULL },
	{ EPIPE, ENDED, ")", NULL },
	{ EMSGSIZE, "grithd's answer is longer than 16 MiB; the rest was not read (socket ", ")",
	  NULL },
	{ EBADMSG, "the answer is not one of grithd's (socket ", ")", NULL },
	{ EPROTONOSUPPORT, "grithd (socket ",
	  ") speaks another version of the protocol than this grith " GRITH_VERSION
	  "; install both from one release",
	  NULL },
	{ 0, "cannot talk to grithd (socket ", ")", "" },
};

_Static_assert(PROTO_REPLY_MAX / (1024 * 1024) == 16, "a message names it");

void channel_explain(int r, const char *socket, struct text *error)
{
	struct line line = { .out = error };
	size_t i = 0;

	while (failures[i].error && failures[i].error != -r)
		i++;
	line_add(&line, failures[i].before);
	line_add_bytes(&line, bytes_of(socket));
	line_add(&line, failures[i].after);
	if (failures[i].remedy)
		line_addf(&line, ": %s%s", strerror(-r), failures[i].remedy);
}

int channel_check(const json_t *reply, struct text *error)
{
	const json_t *problem = json_object_get(reply, "error"), *detail;
	struct line line = { .out = error };
	size_t i;

	if (member_true(reply, "ok"))
		return 0;
	if (json_is_string(json_object_get(problem, "message")))
		line_add_string(&line, json_object_get(problem, "message"));
	else
		line_add(&line, "grithd refused without giving a reason");
	json_array_foreach (json_object_get(problem, "details"), i, detail) {
		line_add(&line, "\n");
		line_add_string(&line, detail);
	}
	return -EREMOTE;
}
