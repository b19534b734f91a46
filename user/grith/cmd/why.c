/* SPDX-License-Identifier: MPL-2.0 */
/*
 * grith why: explains one decision. The only verb that grithd answers inside of a session, too, for
 * that session.
 */
#include "grith/client/client.h"
#include "grith/review/review.h"
#include "lib/proto/proto.h"
#include "cmd.h"

static int run(int argc, char **argv)
{
	const char *socket = NULL, *session = NULL, *event, *inside = getenv(PROTO_SESSION_ENV);
	bool last = false, json = false;
	const struct option_entry known[] = {
		{ "last", 'l', .flag = &last },
		{ "session", .value = &session },
		{ "json", .flag = &json },
		{ "socket", .value = &socket },
		{ 0 },
	};
	json_auto_t *request = NULL;

	if (options_read(argc, argv, known) < 0 || argc - optind != !last)
		return command_misused(&cmd_why);
	event = last ? NULL : argv[optind];
	if (!session && inside && *inside)
		session = inside;
	if (why_request(event, session, &request) == -EINVAL) {
		message("'%s' is not an event: SESSION:NUMBER, as the log shows it", event);
		return command_misused(&cmd_why);
	}
	return ask_and_print(socket, request, "why", json, view_why);
}

const struct command cmd_why = {
	.name = "why",
	.arguments = "[--session S] [--json] [--socket PATH] EVENT | --last",
	.summary = "explain a decision",
	.help = "  EVENT          SESSION:NUMBER, as 'grith log' shows it; with --session and inside\n"
		"                 of a session, the number alone\n"
		"  -l, --last     the last thing that was refused or held; in observe mode: would\n"
		"                 have been\n"
		"  --session S    of this session, by id or name; inside of one, that one\n"
		"  --json         all that is known; see grith-protocol(7)\n"
		"  --socket PATH  where grithd listens\n"
		"\n"
		"Says what was done and by whom, which rule decided and why, what each filter added to\n"
		"the score, what led to it, and how to allow it. A process in a session can ask about\n"
		"that session.\n"
		"\n"
		"Exit status: 0 done, 1 failed: there is no such event, or grithd is not running; 2\n"
		"wrong usage.\n",
	.run = run,
};
