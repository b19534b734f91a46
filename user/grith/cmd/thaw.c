/* SPDX-License-Identifier: MPL-2.0 */
/*
 * grith thaw: lets frozen sessions go on.
 */
#include "session_verb.h"

static int run(int argc, char **argv)
{
	return session_verb_run(&cmd_thaw, PROTO_THAW, argc, argv);
}

const struct command cmd_thaw = {
	.name = "thaw",
	.arguments = SESSION_VERB_ARGUMENTS,
	.summary = "let a frozen session go on",
	.help = SESSION_VERB_OPTIONS,
	.run = run,
};
