/* SPDX-License-Identifier: MPL-2.0 */
/* Compound commands and functions (XCU 2.9.4, 2.9.5). */
#include "parser.h"

static int group(struct source *s)
{
	return token_take(s) ?: grammar_list(s, false) ?: token_expect_word(s, "}");
}

/* Behind ((, up to and with )): arithmetic, of which nothing is kept. */
static int skip_arithmetic(struct source *s)
{
	struct word_start start = word_begin(s->shell);
	struct raw_word ignored;

	s->has_token = false;
	return expansion_arithmetic(s, "))") ?: word_end(s->shell, start, &ignored);
}

/* ( list ), or (( arithmetic )) where it ends so. */
static int parentheses(struct source *s)
{
	int r;

	if (!s->shell->plain && source_byte(s, 0) == '(') {
		s->at++;
		r = expansion_is_arithmetic(s);
		if (r > 0) {
			s->shell->differs = true;
			return skip_arithmetic(s);
		}
		s->at--;
		if (r < 0)
			return r;
	}
	return token_take(s) ?: grammar_list(s, false) ?: token_expect(s, TOKEN_CLOSE);
}

static int if_then(struct source *s)
{
	int r;

	do
		r = token_take_then(s, true) /* if, elif */ ?: grammar_list(s, false)
			    ?: token_expect_word(s, "then") ?: grammar_list(s, false);
	while (r == 0 && token_is(&s->token, "elif"));
	if (r == 0 && token_is(&s->token, "else"))
		r = token_expect_word(s, "else") ?: grammar_list(s, false);
	return r ?: token_expect_word(s, "fi");
}

/* function NAME [()] command. */
static int function(struct source *s)
{
	int r = token_take(s) ?: token_peek(s);

	if (r == 0 && s->token.kind != TOKEN_WORD)
		r = shell_fail(s, s->token.start, -EINVAL);
	r = r ?: token_take_then(s, true) ?: token_peek(s);
	if (r == 0 && s->token.kind == TOKEN_OPEN) {
		struct source ahead = *s;

		source_skip_blanks(&ahead);
		if (source_byte(&ahead, 0) == ')')
			r = token_take(s) ?: token_expect(s, TOKEN_CLOSE);
	}
	r = r ?: token_skip_newlines(s);
	if (r == 0 && !compound_starts(s))
		r = shell_fail(s, s->token.start, -EINVAL);
	return r ?: compound_read(s);
}

/* do list done, or { list } behind a `for`. */
static int loop_body(struct source *s, bool braces)
{
	int r = token_peek(s);

	if (r == 0 && braces && token_is(&s->token, "{"))
		return token_expect_word(s, "{") ?: grammar_list(s, false)
			       ?: token_expect_word(s, "}");
	return r ?: token_expect_word(s, "do") ?: grammar_list(s, false)
			 ?: token_expect_word(s, "done");
}

static int loop_while(struct source *s)
{
	return token_take_then(s, true) ?: grammar_list(s, false) ?: loop_body(s, false);
}

/* NAME=word for a word of the list, so that the values of the variable can be seen. */
static int add_value(struct source *s, struct draft *draft, const struct raw_word *name,
		     const struct raw_word *value)
{
	struct word_list values = { 0 };
	int r = finish_word(s->shell, value, FINISH_WORD, &values);

	for (struct word_node *node = values.first; node && r == 0; node = node->next) {
		OWNED_TEXT struct text t = { 0 };

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
	while (r == 0 && (r = token_peek(s)) == 0 && s->token.kind == TOKEN_WORD)
		r = add_value(s, &draft, name, &s->token.word) ?: token_take_then(s, false);
	if (r == 0 && s->token.kind != TOKEN_SEMICOLON && s->token.kind != TOKEN_NEWLINE)
		r = shell_fail(s, s->token.start, -EINVAL);
	if (r == 0 && draft.assignments.count)
		r = command_add(s, &draft, at, SIZE_MAX);
	return r;
}

/* for ((a; b; c)) */
static int for_arithmetic(struct source *s)
{
	if (s->shell->plain || source_byte(s, 0) != '(')
		return shell_fail(s, s->at, -EINVAL);
	s->at++;
	return skip_arithmetic(s);
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
	r = token_take_then(s, true) ?: token_peek(s);
	if (r == 0 && s->token.kind == TOKEN_SEMICOLON)
		return 0;
	r = r ?: token_skip_newlines(s);
	if (r == 0 && token_is(&s->token, "in"))
		r = in_words(s, &name);
	return r;
}

static int loop_for(struct source *s)
{
	bool may_count = token_is(&s->token, "for");
	int r = token_take_then(s, false) ?: token_peek(s);

	if (r == 0)
		r = may_count && s->token.kind == TOKEN_OPEN ? for_arithmetic(s) : for_name(s);
	r = r ?: token_peek(s);
	if (r == 0 && s->token.kind == TOKEN_SEMICOLON)
		r = token_take(s);
	return r ?: token_skip_newlines(s) ?: loop_body(s, true);
}

/* [(] pattern | pattern ) list ;; and whether it was the last one. */
static int case_item(struct source *s, bool *ret_last)
{
	int r = s->token.kind == TOKEN_OPEN ? token_take(s) : 0;

	do {
		s->command_position = false;
		r = r ?: token_expect(s, TOKEN_WORD) ?: token_peek(s);
		if (r < 0)
			return r;
		if (s->token.kind != TOKEN_PIPE && s->token.kind != TOKEN_CLOSE)
			return shell_fail(s, s->token.start, -EINVAL);
		*ret_last = s->token.kind == TOKEN_CLOSE;
		r = token_take(s);
	} while (r == 0 && !*ret_last);
	r = r ?: grammar_list(s, true);
	*ret_last = s->token.kind != TOKEN_CASE_END;
	return r < 0 || *ret_last ? r : token_take(s);
}

static int case_in(struct source *s)
{
	bool last = false;
	int r = token_take_then(s, false) ?: token_expect(s, TOKEN_WORD);

	s->command_position = false;
	r = r ?: token_skip_newlines(s) ?: token_expect_word(s, "in");
	while (r == 0 && !last) {
		s->command_position = false;
		r = token_skip_newlines(s);
		if (r < 0 || token_is(&s->token, "esac"))
			break;
		r = case_item(s, &last);
	}
	return r ?: token_expect_word(s, "esac");
}

static const struct compound {
	const char *words;
	int (*read)(struct source *s);
	bool extended; /* not of POSIX */
} compounds[] = {
	{ "{", group, false },
	{ "if", if_then, false },
	{ "for", loop_for, false },
	{ "select", loop_for, true },
	{ "while until", loop_while, false },
	{ "case", case_in, false },
	{ "[[", condition_read, true },
	{ "function", function, true },
};

static const struct compound *find_compound(const struct source *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(compounds); i++)
		if (token_is(&s->token, compounds[i].words))
			return &compounds[i];
	return NULL;
}

bool compound_starts(const struct source *s)
{
	const struct compound *compound = find_compound(s);

	return s->token.kind == TOKEN_OPEN ||
	       (compound && (!compound->extended || !s->shell->plain));
}

int compound_read(struct source *s)
{
	const struct compound *compound = find_compound(s);
	size_t first = s->token.first_entry;
	int r = shell_enter(s->shell);

	s->command_position = true;
	if (r == 0)
		r = compound ? compound->read(s) : parentheses(s);
	if (r < 0)
		return r;
	shell_leave(s->shell);
	return command_redirects(s, first);
}
