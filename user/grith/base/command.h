/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The frame of one `grith` verb. Each cmd_*.c defines one `const struct
 * command`; grith/main.c holds the table of them and decides which one runs. Nothing
 * here knows what a verb does.
 */
#pragma once

#include <stdio.h>

/*
 * `arguments` is what follows the verb in the usage line, `summary` one line
 * without a full stop for the list of verbs, `help` the text under the usage
 * line, ending in a newline.
 *
 * `run` gets argv[0] set to the verb and returns the exit status of the
 * program. It prints its own messages, and may use getopt from a fresh state.
 * "--help" as argv[1] is handled before `run`.
 */
struct command {
	const char *name;
	const char *arguments;
	const char *summary;
	const char *help;
	int (*run)(int argc, char **argv);
};

/* What every verb but exec exits with; exec adds those of env(1). */
enum command_exit {
	COMMAND_OK = 0,
	COMMAND_FAILED = 1,
	COMMAND_USAGE = 2,
};

/* The usage line, the summary and the help text. */
void command_help(const struct command *command, FILE *out);

/*
 * For a command line that getopt or the verb refused, after the message about it: points to the
 * help on stderr and returns COMMAND_USAGE.
 */
int command_misused(const struct command *command);
