/* SPDX-License-Identifier: MPL-2.0 */
/*
 * How a verb presents itself: its help, and the pointer to it. What it does is its own file's.
 */
#include <ctype.h>

#include "command.h"

void command_help(const struct command *command, FILE *out)
{
	fprintf(out, "usage: grith %s %s\n\n%c%s.\n\n%s", command->name, command->arguments,
		toupper((unsigned char)command->summary[0]), command->summary + 1, command->help);
}

int command_misused(const struct command *command)
{
	fprintf(stderr, "usage: grith %s %s\n'grith %s --help' says more.\n", command->name,
		command->arguments, command->name);
	return COMMAND_USAGE;
}
