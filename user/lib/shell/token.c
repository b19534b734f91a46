/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Tokens: words, operators, newlines (XCU 2.3), one ahead. What is in a word is word.c.
 */
#include <limits.h>

#include "parser.h"
#include "programs.h"

/* The longer ones first. */
static const struct {
	const char *text;
	enum token_kind kind;
	bool extended; /* not of POSIX */
} operators[] = {
	{ "&>>", TOKEN_BOTH_APPEND, true }, { "<<-", TOKEN_HERE_TABS, false },
	{ "<<<", TOKEN_HERE_STRING, true }, { ";;&", TOKEN_CASE_END, true },
	{ "&&", TOKEN_AND_IF, false },	    { "||", TOKEN_OR_IF, false },
	{ "|&", TOKEN_PIPE_BOTH, true },    { ";;", TOKEN_CASE_END, false },
	{ ";&", TOKEN_CASE_END, true },	    { "<<", TOKEN_HERE, false },
	{ ">>", TOKEN_APPEND, false },	    { "<&", TOKEN_DUP_IN, false },
	{ ">&", TOKEN_DUP_OUT, false },	    { "<>", TOKEN_LESS_GREAT, false },
	{ ">|", TOKEN_CLOBBER, false },	    { "&>", TOKEN_BOTH, true },
	{ "&", TOKEN_AND, false },	    { "|", TOKEN_PIPE, false },
	{ ";", TOKEN_SEMICOLON, false },    { "(", TOKEN_OPEN, false },
	{ ")", TOKEN_CLOSE, false },	    { "<", TOKEN_LESS, false },
	{ ">", TOKEN_GREAT, false },
};

char source_byte(const struct source *s, size_t ahead)
{
	return s->at + ahead < s->length ? s->text[s->at + ahead] : '\0';
}

void source_skip_continuations(struct source *s)
{
	while (source_byte(s, 0) == '\\' && source_byte(s, 1) == '\n')
		s->at += 2;
}

void source_skip_blanks(struct source *s)
{
	for (;;) {
		source_skip_continuations(s);
		if (source_byte(s, 0) != ' ' && source_byte(s, 0) != '\t')
			break;
		s->at++;
	}
	if (source_byte(s, 0) == '#')
		while (s->at < s->length && s->text[s->at] != '\n')
			s->at++;
}

/* Line continuations between the bytes of an operator do not count. */
static bool take_operator(struct source *s, enum token_kind *ret_kind)
{
	for (size_t i = 0; i < ARRAY_SIZE(operators); i++) {
		struct source ahead = *s;
		const char *p;

		if (operators[i].extended && s->shell->plain)
			continue;

		for (p = operators[i].text; *p && source_byte(&ahead, 0) == *p; p++) {
			ahead.at++;
			if (p[1])
				source_skip_continuations(&ahead);
		}
		if (!*p) {
			s->at = ahead.at;
			*ret_kind = operators[i].kind;
			s->shell->differs |=
				*ret_kind == TOKEN_BOTH || *ret_kind == TOKEN_BOTH_APPEND;
			return true;
		}
	}
	return false;
}

/* Digits, or {name}, right before < or >, name what is redirected. */
static bool is_fd(const struct source *s, const struct raw_word *word, int *ret_fd)
{
	char next = source_byte(s, 0);
	uint64_t fd;

	if ((next != '<' && next != '>') || word->quoted || !word->length ||
	    memchr(word->data, '\0', word->length))
		return false;
	if (text_parse_u64(word->data, INT_MAX, &fd) == 0) {
		*ret_fd = fd;
		return true;
	}
	if (word->length > 2 && word->data[0] == '{' && strchr(NAME_START, word->data[1]) &&
	    1 + strspn(word->data + 1, NAME_BYTES) == word->length - 1 &&
	    word->data[word->length - 1] == '}') {
		*ret_fd = 10; /* the least one that the shell picks */
		return true;
	}
	return false;
}

int token_peek(struct source *s)
{
	struct token token = { .fd = -1 };
	char c;
	int r = 0;

	if (s->has_token)
		return 0;
	source_skip_blanks(s);
	token.start = s->at;
	token.first_entry = s->shell->n_entries;
	c = source_byte(s, 0);
	if (s->at == s->length) {
		token.kind = TOKEN_END;
	} else if (c == '\n') {
		token.kind = TOKEN_NEWLINE;
		s->at++;
	} else if ((!s->shell->plain && (c == '<' || c == '>') && source_byte(s, 1) == '(') ||
		   !take_operator(s, &token.kind)) {
		r = word_read(s, &token.word);
		token.kind = TOKEN_WORD;
		if (r == 0 && is_fd(s, &token.word, &token.fd))
			token.kind = TOKEN_FD;
	}
	if (r < 0)
		return r;
	s->token = token;
	s->has_token = true;
	return 0;
}

int token_take(struct source *s)
{
	s->has_token = false;
	s->command_position = s->token.kind != TOKEN_WORD;
	return s->token.kind == TOKEN_NEWLINE ? redirect_read_bodies(s) : 0;
}

int token_take_then(struct source *s, bool command_position)
{
	int r = token_take(s);

	s->command_position = command_position;
	return r;
}

bool token_is(const struct token *token, const char *words)
{
	const struct slice word = { token->word.data, token->word.length };

	return token->kind == TOKEN_WORD && !token->word.quoted && slice_in(word, words);
}

int token_expect(struct source *s, enum token_kind kind)
{
	int r = token_peek(s);

	if (r == 0 && s->token.kind != kind)
		r = shell_fail(s, s->token.start, -EINVAL);
	return r ?: token_take(s);
}

int token_expect_word(struct source *s, const char *reserved)
{
	int r = token_peek(s);

	if (r == 0 && !token_is(&s->token, reserved))
		r = shell_fail(s, s->token.start, -EINVAL);
	return r ?: token_take_then(s, true);
}

int token_skip_newlines(struct source *s)
{
	int r;

	do
		r = token_peek(s);
	while (r == 0 && s->token.kind == TOKEN_NEWLINE && (r = token_take(s)) == 0);
	return r;
}
