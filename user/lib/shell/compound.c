/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Compound commands and functions (XCU 2.9.4, 2.9.5). Loops and case are loop.c.
 */
#include <string.h>

#include "parser.h"

static int group(struct source *s)
{
	int r = token_take(s);

	if (r == 0)
		r = grammar_list(s, false);
	return r < 0 ? r : token_expect_word(s, "}");
}

/* ( list ), or (( arithmetic )) where it ends so. */
static int parentheses(struct source *s)
{
	int r;

	if (!s->shell->plain && source_byte(s, 0) == '(') {
		s->at++;
		r = expansion_is_arithmetic(s);
		if (r > 0) {
			struct word_start start = word_begin(s->shell);
			struct raw_word ignored;

			s->shell->differs = true;
			s->has_token = false;
			r = expansion_arithmetic(s, "))");
			return r < 0 ? r : word_end(s->shell, start, &ignored);
		}
		s->at--;
		if (r < 0)
			return r;
	}
	r = token_take(s);
	if (r == 0)
		r = grammar_list(s, false);
	return r < 0 ? r : token_expect(s, TOKEN_CLOSE);
}

static int if_then(struct source *s)
{
	int r = 0;

	do {
		r = token_take(s); /* if, elif */
		s->command_position = true;
		if (r == 0)
			r = grammar_list(s, false);
		if (r == 0)
			r = token_expect_word(s, "then");
		if (r == 0)
			r = grammar_list(s, false);
	} while (r == 0 && token_is(&s->token, "elif"));
	if (r == 0 && token_is(&s->token, "else")) {
		r = token_expect_word(s, "else");
		if (r == 0)
			r = grammar_list(s, false);
	}
	return r < 0 ? r : token_expect_word(s, "fi");
}

/* function NAME [()] command. */
static int function(struct source *s)
{
	int r = token_take(s);

	if (r == 0)
		r = token_peek(s);
	if (r == 0 && s->token.kind != TOKEN_WORD)
		r = shell_fail(s, s->token.start, -EINVAL);
	if (r == 0)
		r = token_take(s);
	s->command_position = true;
	if (r == 0)
		r = token_peek(s);
	if (r == 0 && s->token.kind == TOKEN_OPEN) {
		struct source ahead = *s;

		source_skip_blanks(&ahead);
		if (source_byte(&ahead, 0) == ')') {
			r = token_take(s);
			if (r == 0)
				r = token_expect(s, TOKEN_CLOSE);
		}
	}
	if (r == 0)
		r = token_skip_newlines(s);
	if (r == 0 && !compound_starts(s))
		r = shell_fail(s, s->token.start, -EINVAL);
	return r < 0 ? r : compound_read(s);
}

static const struct {
	const char *word;
	int (*read)(struct source *s);
	bool extended; /* not of POSIX */
} words[] = {
	{ "{", group, false },		{ "if", if_then, false },
	{ "for", loop_for, false },	{ "select", loop_for, true },
	{ "while", loop_while, false }, { "until", loop_while, false },
	{ "case", loop_case, false },	{ "[[", condition_read, true },
	{ "function", function, true },
};

bool compound_starts(const struct source *s)
{
	if (s->token.kind == TOKEN_OPEN)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (token_is(&s->token, words[i].word))
			return !words[i].extended || !s->shell->plain;
	return false;
}

int compound_read(struct source *s)
{
	int (*read)(struct source * s) = parentheses;
	size_t first = s->token.first_entry;
	int r = shell_enter(s->shell);

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (token_is(&s->token, words[i].word))
			read = words[i].read;
	s->command_position = true;
	if (r == 0)
		r = read(s);
	if (r < 0)
		return r;
	shell_leave(s->shell);
	return command_redirects(s, first);
}
