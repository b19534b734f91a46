/* SPDX-License-Identifier: MPL-2.0 */
/* What a verb of the command says, run as main() runs it. Failures end the test. */
#pragma once

#include "grith/cmd/cmd.h"
#include "lib/base/base.h"

/* Starts as {0}. */
struct command_output {
	struct text out, err; /* of the last run */
	int status;
};

void command_output_clear(struct command_output *output);

#define OWNED_OUTPUT CLEANUP(command_output_clear)

/* The words that follow the verb end with NULL. What was kept of an earlier run is let go. */
void command_output_run(struct command_output *output, const struct command *command,
			const char *const *words);
