/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What the verbs that do one thing to sessions have in common: kill, freeze, thaw.
 */
#pragma once

#include "grith/base/base.h"
#include "lib/proto/proto.h"

#define SESSION_VERB_ARGUMENTS "[--socket PATH] SESSION... | --all"
#define SESSION_VERB_OPTIONS                                                                   \
	"  --all          all sessions: yours, or everybody's when you are root\n"             \
	"  --socket PATH  where grithd listens\n"                                              \
	"\n"                                                                                   \
	"SESSION is an id or a name, as 'grith ps' shows them. A name that two sessions\n"     \
	"have is refused.\n"                                                                   \
	"\n"                                                                                   \
	"Exit status: 0 done for all of them, 1 not for each (the others are done), 2 wrong\n" \
	"usage.\n"

/* The whole verb: reads the command line, asks grithd for each session, prints what failed. */
int session_verb_run(const struct command *command, enum proto_verb verb, int argc, char **argv);
