/* SPDX-License-Identifier: MPL-2.0 */
/* The help of a verb, and its output. */
#include <ctype.h>

#include "command.h"
#include "message.h"

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

int output_json(const json_t *json)
{
	json_dumpf(json, stdout, JSON_INDENT(2) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(12));
	putchar('\n');
	return COMMAND_OK;
}

int output_text(const struct text *text, int r)
{
	if (r < 0)
		return output_failure(NULL, r);
	fwrite(text->data, 1, text->length, stdout);
	return COMMAND_OK;
}

int output_failure(const char *error, int r)
{
	fprintf(stderr, "grith: %s\n", error ? error : strerror(-r));
	return COMMAND_FAILED;
}

int output_diag(const struct diag *diag, const char *what, int r)
{
	OWNED_MEM char *text = diag->count ? diag_text(diag) : NULL;

	if (text)
		fputs(text, stderr);
	else
		message("%s%s%s", what ? what : "", what ? ": " : "", strerror(-r));
	return COMMAND_FAILED;
}
