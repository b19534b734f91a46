/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Any bytes as a command line: a script whose every string is what it says it is, within the
 * limits, or an error at a byte of the text. The bytes are tried as an argument vector, too.
 */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "lib/shell/shell.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_word(const struct shell_word *word)
{
	assert(word->text && word->variables);
	assert(strlen(word->text) == word->length);
	assert(!word->variables[0] || word->unknown);
}

static void check_command(const struct shell_command *command)
{
	assert(command->n_words || command->n_assignments || command->n_redirects);
	assert(command->depth <= SHELL_DEPTH_MAX);
	assert(command->position == 0 || command->piped_in);
	for (size_t i = 0; i < command->n_words; i++)
		check_word(&command->words[i]);
	for (size_t i = 0; i < command->n_assignments; i++) {
		check_word(&command->assignments[i]);
		assert(strchr(command->assignments[i].text, '='));
	}
	for (size_t i = 0; i < command->n_redirects; i++) {
		check_word(&command->redirects[i].target);
		assert(command->redirects[i].fd >= 0);
	}
	assert(shell_effective_program(command->words, command->n_words) <= command->n_words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(shell_script_freep) struct shell_script *script = NULL;
	/* A copy of that size, so that a byte read behind it is found. */
	OWNED_MEM char *text = malloc(size ? size : 1);
	size_t at = SIZE_MAX, length = SIZE_MAX;
	const char *inner;
	int r;

	assert(text);
	if (size)
		memcpy(text, data, size);
	r = shell_parse(text, size, &at, &script);
	assert((r == 0 && script) || (r == -EINVAL && !script && at <= size) ||
	       (r == -E2BIG && !script));
	for (size_t i = 0; script && i < script->n_commands; i++)
		check_command(&script->commands[i]);
	inner = shell_command_text(text, size, &length);
	assert(!inner || (inner >= text && length <= size && inner + length <= text + size));
	return 0;
}
