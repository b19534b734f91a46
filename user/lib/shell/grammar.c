/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Lists, pipelines, and what is in front of a command (XCU 2.10). Commands are compound.c and
 * command.c.
 */
#include "parser.h"

static bool ends_list(const struct token *token)
{
	return token->kind == TOKEN_END || token->kind == TOKEN_CLOSE ||
	       token->kind == TOKEN_CASE_END || token_is(token, "then else elif fi do done esac }");
}

int grammar_command(struct source *s)
{
	int r = token_peek(s);

	if (r < 0)
		return r;
	if (compound_starts(s))
		return compound_read(s);
	if (!s->shell->plain && token_is(&s->token, "coproc")) {
		size_t first = s->token.first_entry;

		r = token_take_then(s, true) ?: token_peek(s);
		if (r == 0)
			r = compound_starts(s) ? compound_read(s) : command_simple(s, true);
		for (size_t i = first; i < s->shell->n_entries; i++)
			s->shell->entries[i].command.background = true;
		return r;
	}
	return command_simple(s, false);
}

/* `!`, `time`, `time -p`, each of which may be alone in bash. */
static int skip_prefixes(struct source *s, bool *ret_any)
{
	bool timed = false;
	int r;

	*ret_any = false;
	while ((r = token_peek(s)) == 0) {
		bool is_time = !s->shell->plain && token_is(&s->token, "time");

		if (!is_time && !token_is(&s->token, "!") &&
		    !(timed && token_is(&s->token, "-p --")))
			break;
		timed |= is_time;
		*ret_any = true;
		r = token_take_then(s, true);
		if (r < 0)
			break;
	}
	return r;
}

/* The commands from `first` on become one step of a pipeline, its first one at `position`. */
static size_t connect(struct shell *shell, size_t first, size_t end, size_t pipeline,
		      size_t position, bool in, bool out)
{
	size_t next = position + 1;

	for (size_t i = first; i < end; i++) {
		struct shell_command *command = &shell->entries[i].command;

		if (shell->entries[i].level != shell->level)
			continue;
		command->pipeline = pipeline;
		command->position += position;
		command->piped_in |= in;
		command->piped_out |= out;
		if (command->position >= next)
			next = command->position + 1;
	}
	return next;
}

static int pipeline(struct source *s)
{
	struct shell *shell = s->shell;
	size_t number = shell->n_pipelines++, position = 0, before = SIZE_MAX, first, end;
	bool in = false, out, any;
	int r = skip_prefixes(s, &any);

	if (r < 0)
		return r;
	if (any && (s->token.kind == TOKEN_SEMICOLON || s->token.kind == TOKEN_NEWLINE ||
		    s->token.kind == TOKEN_AND || ends_list(&s->token)))
		return 0;
	do {
		r = token_peek(s);
		first = s->token.first_entry;
		r = r ?: grammar_command(s) ?: token_peek(s);
		if (r < 0)
			return r;
		end = shell->n_entries;
		out = s->token.kind == TOKEN_PIPE || s->token.kind == TOKEN_PIPE_BOTH;
		if (in || out)
			position = connect(shell, first, end, number, position, in, out);
		if (in)
			r = nested_pipe(s, before, first);
		before = first;
		in = out;
		if (out)
			r = r ?: token_take(s) ?: token_skip_newlines(s);
	} while (r == 0 && out);
	return r;
}

static int and_or(struct source *s)
{
	int r;

	do {
		r = pipeline(s) ?: token_peek(s);
		if (r < 0 || (s->token.kind != TOKEN_AND_IF && s->token.kind != TOKEN_OR_IF))
			return r;
		r = token_take(s) ?: token_skip_newlines(s);
	} while (r == 0);
	return r;
}

static void put_in_background(struct shell *shell, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++)
		if (shell->entries[i].level == shell->level)
			shell->entries[i].command.background = true;
}

int grammar_list(struct source *s, bool may_be_empty)
{
	bool any = false;
	size_t first;
	int r;

	for (;;) {
		r = token_skip_newlines(s);
		if (r < 0)
			return r;
		if (ends_list(&s->token))
			break;
		any = true;
		first = s->token.first_entry;
		r = and_or(s);
		if (r < 0)
			return r;
		if (s->token.kind == TOKEN_AND)
			put_in_background(s->shell, first, s->shell->n_entries);
		if (s->token.kind != TOKEN_AND && s->token.kind != TOKEN_SEMICOLON &&
		    s->token.kind != TOKEN_NEWLINE)
			break;
		r = token_take(s);
		if (r < 0)
			return r;
		if (s->token.kind == TOKEN_NEWLINE && !s->shell->depth)
			s->shell->n_complete = s->shell->n_entries;
	}
	return any || may_be_empty ? 0 : shell_fail(s, s->token.start, -EINVAL);
}
