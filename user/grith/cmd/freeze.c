/* SPDX-License-Identifier: MPL-2.0 */
/*
 * grith freeze: stops all processes of sessions, until they are thawed.
 */
#include "session_verb.h"

static int run(int argc, char **argv)
{
	return session_verb_run(&cmd_freeze, PROTO_FREEZE, argc, argv);
}

const struct command cmd_freeze = {
	.name = "freeze",
	.arguments = SESSION_VERB_ARGUMENTS,
	.summary = "stop all processes of a session until it is thawed",
	.help = SESSION_VERB_OPTIONS,
	.run = run,
};
