/* SPDX-License-Identifier: MPL-2.0 */
/*
 * From a text to a script: what is set up and given back around the grammar, the limits, and texts
 * in a text.
 */
#include "parser.h"

#define BUDGET_FACTOR 16 /* bytes read again or made by braces, per byte of the text */
#define BUDGET_LEAST 65536

int shell_fail(struct source *s, size_t at, int error)
{
	s->shell->failed_at = s->nested ? s->shown_at : at;
	return error;
}

int shell_enter(struct shell *shell)
{
	if (shell->depth >= SHELL_DEPTH_MAX)
		return -E2BIG;
	shell->depth++;
	return 0;
}

void shell_leave(struct shell *shell)
{
	shell->depth--;
}

int shell_spend(struct shell *shell, size_t bytes)
{
	if (shell->budget < bytes)
		return -E2BIG;
	shell->budget -= bytes;
	return 0;
}

static struct source inner_source(struct source *outer, size_t shown_at, struct bytes text)
{
	return (struct source) {
		.shell = outer->shell,
		.text = text.data,
		.length = text.length,
		.command_position = true,
		.nested = true,
		.shown_at = outer->nested ? outer->shown_at : shown_at,
	};
}

int shell_read_all(struct source *s)
{
	int r = grammar_list(s, true) ?: token_peek(s);

	if (r == 0 && s->token.kind != TOKEN_END)
		r = shell_fail(s, s->token.start, -EINVAL);
	return r ?: redirect_read_bodies(s);
}

int shell_read_nested(struct source *outer, size_t shown_at, struct bytes text)
{
	struct source s = inner_source(outer, shown_at, text);
	struct shell *shell = outer->shell;
	unsigned int depth = shell->depth, level = shell->level;
	struct word_start start = word_begin(shell);
	int r = shell_spend(shell, text.length) ?: shell_enter(shell);

	if (r < 0)
		return r;
	r = shell_read_all(&s);
	shell->depth = depth;
	shell->level = level;
	if (r == -EINVAL && memchr(text.data, '\0', text.length))
		r = 0; /* what is not known may be what is missing */
	shell->bytes.length = start.bytes;
	shell->marks.length = start.marks;
	shell->names.length = start.names;
	shell->quoted = start.quoted;
	return r;
}

int shell_read_quoted(struct source *outer, size_t shown_at, struct bytes text,
		      struct raw_word *ret_word)
{
	struct source s = inner_source(outer, shown_at, text);
	struct word_start start = word_begin(outer->shell);

	return word_here(&s) ?: word_end(outer->shell, start, ret_word);
}

static void shell_clear(struct shell *shell)
{
	free(shell->entries);
	text_free(&shell->bytes);
	text_free(&shell->marks);
	text_free(&shell->names);
	memory_free(shell->memory);
}

static int hand_over(struct shell *shell, struct shell_script **ret_script)
{
	CLEANUP(shell_script_freep) struct shell_script *script = calloc(1, sizeof(*script));

	if (!script)
		return -ENOMEM;
	script->commands = calloc(shell->n_entries + 1, sizeof(*script->commands));
	if (!script->commands)
		return -ENOMEM;
	for (size_t i = 0; i < shell->n_entries; i++)
		script->commands[i] = shell->entries[i].command;
	script->n_commands = shell->n_entries;
	script->memory = TAKE_PTR(shell->memory);
	*ret_script = TAKE_PTR(script);
	return 0;
}

int shell_parse(const char *text, size_t length, size_t *ret_at, struct shell_script **ret_script)
{
	CLEANUP(shell_clear) struct shell shell = { .budget = BUDGET_LEAST };
	struct source s = {
		.shell = &shell, .text = text, .length = length, .command_position = true
	};
	const char *nul;
	int r;

	if (length > SHELL_TEXT_MAX)
		return -E2BIG;
	shell.budget += BUDGET_FACTOR * length;
	nul = length ? memchr(text, '\0', length) : NULL;
	r = nul ? shell_fail(&s, nul - text, -EINVAL) : shell_read_all(&s);
	if (r == 0 && shell.differs)
		r = plain_read(&shell, text, length);
	if (r == 0)
		r = hand_over(&shell, ret_script);
	if (r == -EINVAL && ret_at)
		*ret_at = shell.failed_at;
	return r;
}

void shell_script_free(struct shell_script *script)
{
	if (!script)
		return;
	free(script->commands);
	memory_free(script->memory);
	free(script);
}
