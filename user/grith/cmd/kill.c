/* SPDX-License-Identifier: MPL-2.0 */
/*
 * grith kill: ends all processes of sessions.
 */
#include "session_verb.h"

static int run(int argc, char **argv)
{
	return session_verb_run(&cmd_kill, PROTO_KILL, argc, argv);
}

const struct command cmd_kill = {
	.name = "kill",
	.arguments = SESSION_VERB_ARGUMENTS,
	.summary = "end all processes of a session",
	.help = SESSION_VERB_OPTIONS,
	.run = run,
};
