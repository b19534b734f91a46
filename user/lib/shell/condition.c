/* SPDX-License-Identifier: MPL-2.0 */
/*
 * [[ ]]: words as the arguments of a command of that name, since they name files. Its grammar is
 * checked, for to a shell without it `[[ a || b c ]]` is two commands.
 */
#include "parser.h"

struct condition {
	struct draft draft;
	bool regex; /* the next word is one */
};

static int add(struct source *s, struct condition *c, const struct raw_word *raw)
{
	return finish_word(s->shell, raw, FINISH_TARGET, &c->draft.words);
}

static int add_text(struct source *s, struct condition *c, const char *text)
{
	struct raw_word raw = { .length = strlen(text), .variables = "", .quoted = true };

	raw.data = memory_copy(&s->shell->memory, text, raw.length);
	raw.marks = memory_take(&s->shell->memory, raw.length + 1);
	return raw.data && raw.marks ? add(s, c, &raw) : -ENOMEM;
}

/* A word; ]] is none. */
static int take_word(struct source *s, struct condition *c)
{
	int r = token_peek(s);

	if (r == 0 && (s->token.kind != TOKEN_WORD || token_is(&s->token, "]]")))
		r = shell_fail(s, s->token.start, -EINVAL);
	return r ?: add(s, c, &s->token.word) ?: token_take_then(s, false);
}

static int take_regex(struct source *s, struct condition *c)
{
	struct raw_word word;
	int r;

	source_skip_blanks(s);
	r = word_read_regex(s, &word);
	if (r == 0 && !word.length && !word.quoted)
		r = shell_fail(s, s->at, -EINVAL);
	return r ?: add(s, c, &word);
}

static bool is_unary(const struct token *token)
{
	const struct raw_word *word = &token->word;

	return token->kind == TOKEN_WORD && !word->quoted && word->length == 2 &&
	       word->data[0] == '-' && word->data[1] &&
	       strchr("abcdefghknoprstuvwxzGLNORS", word->data[1]);
}

/* An operator between two words; NULL where the token is none. */
static const char *binary(const struct token *token)
{
	if (token->kind == TOKEN_LESS)
		return "<";
	if (token->kind == TOKEN_GREAT)
		return ">";
	return token_is(token, "= == != =~ -eq -ne -lt -le -gt -ge -nt -ot -ef") ? token->word.data
										 : NULL;
}

/* WORD, WORD operator WORD, -f WORD. */
static int test(struct source *s, struct condition *c)
{
	bool unary = is_unary(&s->token);
	const char *between;
	int r = take_word(s, c) ?: token_peek(s);

	if (r < 0)
		return r;
	between = binary(&s->token);
	if (between) {
		r = add_text(s, c, between) ?: token_take_then(s, false);
		if (r < 0)
			return r;
		return strcmp(between, "=~") == 0 ? take_regex(s, c) : take_word(s, c);
	}
	if (unary && s->token.kind == TOKEN_WORD && !token_is(&s->token, "]]"))
		return take_word(s, c);
	return 0;
}

static int skip_newlines(struct source *s)
{
	int r = token_skip_newlines(s);

	s->command_position = false;
	return r;
}

/* Tests with ! before them, ( ) around them, && and || between them. */
static int expression(struct source *s, struct condition *c)
{
	int r = shell_enter(s->shell);

	while (r == 0) {
		r = skip_newlines(s);
		while (r == 0 && token_is(&s->token, "!"))
			r = take_word(s, c) ?: skip_newlines(s);
		if (r == 0 && s->token.kind == TOKEN_OPEN)
			r = token_take(s) ?: expression(s, c) ?: token_expect(s, TOKEN_CLOSE);
		else if (r == 0)
			r = test(s, c);
		s->command_position = false;
		r = r ?: skip_newlines(s);
		if (r < 0 || (s->token.kind != TOKEN_AND_IF && s->token.kind != TOKEN_OR_IF))
			break;
		r = add_text(s, c, s->token.kind == TOKEN_AND_IF ? "&&" : "||")
			    ?: token_take_then(s, false);
	}
	shell_leave(s->shell);
	return r;
}

int condition_read(struct source *s)
{
	struct condition c = { 0 };
	size_t at = s->token.first_entry;
	int r;

	s->shell->differs = true;
	r = add(s, &c, &s->token.word) ?: token_take_then(s, false) ?: expression(s, &c)
		    ?: add_text(s, &c, "]]") ?: token_expect_word(s, "]]");
	if (r < 0)
		return r;
	/* What compound_read() entered is not around the command but the command itself. */
	s->shell->depth--;
	r = command_add(s, &c.draft, at, SIZE_MAX);
	s->shell->depth++;
	return r;
}
