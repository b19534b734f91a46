/* SPDX-License-Identifier: MPL-2.0 */
/* The frame of one `grith` verb: how it is described, and how it ends. cmd/cmd.h lists them. */
#pragma once

#include <jansson.h>

#include "lib/base/base.h"

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

/* The end of a verb. Each returns the exit status. */

/* One document, indented, in ASCII: what is hostile in it does nothing to a terminal. */
int output_json(const json_t *json);

/* What a view has added to the text where it returned 0, else the message that it failed. */
int output_text(const struct text *text, int r);

/*
 * The entries of `diag`; where it has none, the words for `r`, after "WHAT: " unless that is NULL.
 */
int output_diag(const struct diag *diag, const char *what, int r);

/* "grith: ERROR", escaped already and maybe of several lines; NULL: the words for `r`. */
int output_failure(const char *error, int r);
