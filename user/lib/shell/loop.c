/* SPDX-License-Identifier: MPL-2.0 */
/*
 * for, select, while, until, case.
 */
#include <string.h>

#include "parser.h"

/* do list done, or { list } behind a `for`. */
static int body(struct source *s, bool braces)
{
	int r = token_peek(s);

	if (r == 0 && braces && token_is(&s->token, "{")) {
		r = token_expect_word(s, "{");
		if (r == 0)
			r = grammar_list(s, false);
		return r < 0 ? r : token_expect_word(s, "}");
	}
	if (r == 0)
		r = token_expect_word(s, "do");
	if (r == 0)
		r = grammar_list(s, false);
	return r < 0 ? r : token_expect_word(s, "done");
}

int loop_while(struct source *s)
{
	int r = token_take(s);

	s->command_position = true;
	if (r == 0)
		r = grammar_list(s, false);
	return r < 0 ? r : body(s, false);
}

/* NAME=word for a word of the list, so that the values of the variable can be seen. */
static int add_value(struct source *s, struct draft *draft, const struct raw_word *name,
		     const struct raw_word *value)
{
	struct word_list values = { 0 };
	int r = finish_word(s->shell, value, FINISH_WORD, &values);

	for (struct word_node *node = values.first, *next; node && r == 0; node = next) {
		OWNED_TEXT struct text t = { 0 };

		next = node->next;
		if (text_add(&t, name->data, name->length) < 0 || text_add(&t, "=", 1) < 0 ||
		    text_add(&t, node->word.text, node->word.length) < 0)
			return -ENOMEM;
		node->word.length = t.length;
		node->word.text = memory_copy(&s->shell->memory, t.data, t.length);
		if (!node->word.text)
			return -ENOMEM;
	}
	if (r < 0 || !values.first)
		return r;
	if (draft->assignments.last)
		draft->assignments.last->next = values.first;
	else
		draft->assignments.first = values.first;
	draft->assignments.last = values.last;
	draft->assignments.count += values.count;
	return 0;
}

static int in_words(struct source *s, const struct raw_word *name)
{
	struct draft draft = { 0 };
	size_t at = s->shell->n_entries;
	int r = token_expect_word(s, "in");

	s->command_position = false;
	while (r == 0 && (r = token_peek(s)) == 0 && s->token.kind == TOKEN_WORD) {
		r = add_value(s, &draft, name, &s->token.word);
		if (r == 0)
			r = token_take(s);
		s->command_position = false;
	}
	if (r == 0 && s->token.kind != TOKEN_SEMICOLON && s->token.kind != TOKEN_NEWLINE)
		r = shell_fail(s, s->token.start, -EINVAL);
	if (r == 0 && draft.assignments.count)
		r = command_add(s, &draft, at, SIZE_MAX);
	return r;
}

/* for ((a; b; c)) */
static int for_arithmetic(struct source *s)
{
	struct word_start start = word_begin(s->shell);
	struct raw_word ignored;
	int r;

	if (s->shell->plain || source_byte(s, 0) != '(')
		return shell_fail(s, s->at, -EINVAL);
	s->at++;
	s->has_token = false;
	r = expansion_arithmetic(s, "))");
	return r < 0 ? r : word_end(s->shell, start, &ignored);
}

static bool is_name(const struct token *token)
{
	const struct raw_word *word = &token->word;

	return token->kind == TOKEN_WORD && !word->quoted && word->length &&
	       strspn(word->data, NAME_BYTES) == word->length && strchr(NAME_START, word->data[0]);
}

/* The name of the variable, and its values. */
static int for_name(struct source *s)
{
	struct raw_word name = s->token.word;
	int r;

	if (!is_name(&s->token))
		return shell_fail(s, s->token.start, -EINVAL);
	r = token_take(s);
	s->command_position = true;
	if (r == 0)
		r = token_peek(s);
	if (r == 0 && s->token.kind == TOKEN_SEMICOLON)
		return 0;
	if (r == 0)
		r = token_skip_newlines(s);
	if (r == 0 && token_is(&s->token, "in"))
		r = in_words(s, &name);
	return r;
}

int loop_for(struct source *s)
{
	bool may_count = token_is(&s->token, "for");
	int r = token_take(s);

	s->command_position = false;
	if (r == 0)
		r = token_peek(s);
	if (r == 0)
		r = may_count && s->token.kind == TOKEN_OPEN ? for_arithmetic(s) : for_name(s);
	if (r == 0)
		r = token_peek(s);
	if (r == 0 && s->token.kind == TOKEN_SEMICOLON)
		r = token_take(s);
	if (r == 0)
		r = token_skip_newlines(s);
	return r < 0 ? r : body(s, true);
}

/* [(] pattern | pattern ) list ;; and whether it was the last one. */
static int case_item(struct source *s, bool *ret_last)
{
	int r = 0;

	if (s->token.kind == TOKEN_OPEN)
		r = token_take(s);
	do {
		s->command_position = false;
		if (r == 0)
			r = token_peek(s);
		if (r == 0 && s->token.kind != TOKEN_WORD)
			r = shell_fail(s, s->token.start, -EINVAL);
		if (r == 0)
			r = token_take(s);
		if (r == 0)
			r = token_peek(s);
		if (r < 0)
			return r;
		if (s->token.kind != TOKEN_PIPE && s->token.kind != TOKEN_CLOSE)
			return shell_fail(s, s->token.start, -EINVAL);
		*ret_last = s->token.kind == TOKEN_CLOSE;
		r = token_take(s);
	} while (r == 0 && !*ret_last);
	if (r == 0)
		r = grammar_list(s, true);
	*ret_last = s->token.kind != TOKEN_CASE_END;
	return r < 0 || *ret_last ? r : token_take(s);
}

int loop_case(struct source *s)
{
	bool last = false;
	int r = token_take(s);

	s->command_position = false;
	if (r == 0)
		r = token_expect(s, TOKEN_WORD);
	s->command_position = false;
	if (r == 0)
		r = token_skip_newlines(s);
	if (r == 0)
		r = token_expect_word(s, "in");
	while (r == 0 && !last) {
		s->command_position = false;
		r = token_skip_newlines(s);
		if (r < 0 || token_is(&s->token, "esac"))
			break;
		r = case_item(s, &last);
	}
	return r < 0 ? r : token_expect_word(s, "esac");
}
