/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Words: quotes and escapes, where a word ends (XCU 2.2, 2.3), and what has blanks and operators in
 * it without quotes: extended patterns, the values of an array, process substitutions. Words that
 * are not finished are on a stack, since a substitution in one has words of its own.
 */
#include "parser.h"

#define METACHARACTERS " \t\n;&|()<>"

struct word_start word_begin(struct shell *shell)
{
	struct word_start start = { shell->bytes.length, shell->marks.length, shell->names.length,
				    shell->quoted };

	shell->quoted = false;
	return start;
}

int word_end(struct shell *shell, struct word_start start, struct raw_word *ret_word)
{
	size_t length = shell->bytes.length - start.bytes;
	size_t names = shell->names.length - start.names;
	struct raw_word word = { .length = length, .quoted = shell->quoted, .variables = "" };

	/* The stacks may not have been used at all, and then there is nothing to copy from. */
	word.data =
		memory_copy(&shell->memory, length ? shell->bytes.data + start.bytes : "", length);
	word.marks =
		memory_copy(&shell->memory, length ? shell->marks.data + start.marks : "", length);
	if (names)
		word.variables =
			memory_copy(&shell->memory, shell->names.data + start.names, names - 1);
	if (!word.data || !word.marks || !word.variables)
		return -ENOMEM;
	shell->bytes.length = start.bytes;
	shell->marks.length = start.marks;
	shell->names.length = start.names;
	shell->quoted = start.quoted;
	*ret_word = word;
	return 0;
}

int word_add(struct shell *shell, char byte, bool quoted)
{
	char mark = quoted;

	return text_add(&shell->bytes, &byte, 1) ?: text_add(&shell->marks, &mark, 1);
}

int word_add_unknown(struct shell *shell)
{
	return word_add(shell, '\0', true);
}

int word_add_name(struct shell *shell, const char *name, size_t length)
{
	return text_add(&shell->names, name, length) ?: text_add(&shell->names, " ", 1);
}

static int single_quotes(struct source *s)
{
	size_t start = s->at++;
	int r = 0;

	s->shell->quoted = true;
	while (r == 0) {
		if (s->at == s->length)
			return shell_fail(s, start, -EINVAL);
		if (s->text[s->at] == '\'')
			break;
		r = word_add(s->shell, s->text[s->at++], true);
	}
	s->at++;
	return r;
}

static int backslash(struct source *s, const char *special)
{
	char next = source_byte(s, 1);

	if (s->at + 1 == s->length) {
		s->at++;
		return word_add(s->shell, '\\', true);
	}
	if (next == '\n') {
		s->at += 2;
		return 0;
	}
	s->at++;
	if (special && (!next || !strchr(special, next)))
		return word_add(s->shell, '\\', true);
	s->at++;
	return word_add(s->shell, next, true);
}

/* One byte or one expanded part of what is in double quotes. */
static int quoted_part(struct source *s, const char *escapable)
{
	switch (s->text[s->at]) {
	case '\\':
		return backslash(s, escapable);
	case '$':
		return expansion_dollar(s, true);
	case '`':
		return expansion_backquote(s, true);
	default:
		return word_add(s->shell, s->text[s->at++], true);
	}
}

int word_double_quotes(struct source *s)
{
	size_t start = s->at++;
	int r = 0;

	s->shell->quoted = true;
	while (r == 0) {
		if (s->at == s->length)
			return shell_fail(s, start, -EINVAL);
		if (s->text[s->at] == '"')
			break;
		r = quoted_part(s, "$`\"\\");
	}
	s->at++;
	return r;
}

int word_here(struct source *s)
{
	int r = 0;

	while (r == 0 && s->at < s->length)
		r = quoted_part(s, "$`\\");
	return r;
}

int word_plain_or_quoted(struct source *s)
{
	switch (s->text[s->at]) {
	case '\\':
		if (source_byte(s, 1) != '\n' || s->at + 1 == s->length)
			s->shell->quoted = true;
		return backslash(s, NULL);
	case '\'':
		return single_quotes(s);
	case '"':
		return word_double_quotes(s);
	case '`':
		return expansion_backquote(s, false);
	case '$':
		return expansion_dollar(s, false);
	case '\0':
		s->at++;
		return word_add_unknown(s->shell);
	default:
		return word_add(s->shell, s->text[s->at++], false);
	}
}

/* Parentheses inside of which blanks and operators mean nothing: the pattern of @(a|b), a regex. */
static int parentheses(struct source *s)
{
	size_t start = s->at, open = 0;
	int r = 0;

	do {
		if (s->at == s->length)
			return shell_fail(s, start, -EINVAL);
		if (s->text[s->at] == '(')
			open++;
		else if (s->text[s->at] == ')')
			open--;
		r = word_plain_or_quoted(s);
	} while (r == 0 && open);
	return r;
}

static int pattern(struct source *s)
{
	struct word_start start;
	struct raw_word ignored;
	int r;

	/* What it will match is not known, and neither is the byte before it a part of the word. */
	s->shell->bytes.length--;
	s->shell->marks.length--;
	r = word_add_unknown(s->shell);
	if (r < 0)
		return r;
	start = word_begin(s->shell);
	return parentheses(s) ?: word_end(s->shell, start, &ignored);
}

/*
 * Whether a ( here continues the word: that of an extended pattern. `!(` at the start of a command
 * is `!` and a subshell to a shell that has extended patterns switched off, as is the default;
 * and `@()` may be the head of a function.
 */
static bool is_pattern(const struct source *s, size_t word_start)
{
	const struct text *bytes = &s->shell->bytes, *marks = &s->shell->marks;
	size_t last = bytes->length - 1;

	if (bytes->length == word_start || marks->data[marks->length - 1] || !bytes->data[last] ||
	    !strchr("?*+@!", bytes->data[last]))
		return false;
	return source_byte(s, 1) != ')' && !(last == word_start && s->command_position);
}

/* NAME= NAME+= NAME[...]= so far, so that a ( opens the values of an array. */
static bool is_assignment_head(const struct source *s, size_t word_start)
{
	size_t length = s->shell->bytes.length - word_start, name;
	const char *p = length ? s->shell->bytes.data + word_start : "";

	if (!s->command_position || length < 2 || p[length - 1] != '=' ||
	    s->shell->marks.data[s->shell->marks.length - 1] || !strchr(NAME_START, p[0]) || !p[0])
		return false;
	for (name = 0; name < length && p[name] && strchr(NAME_BYTES, p[name]); name++)
		;
	return name == length - 1 || (name == length - 2 && p[name] == '+') ||
	       (p[name] == '[' && (p[length - 2] == ']' || p[length - 2] == '+'));
}

/* The values of an array: words and newlines up to the ). They are one word of the result. */
static int array_values(struct source *s)
{
	struct source saved = *s;
	bool first = true;
	int r;

	s->at++;
	r = word_add(s->shell, '(', true);
	while (r == 0) {
		s->command_position = false;
		r = token_peek(s);
		if (r < 0 || s->token.kind == TOKEN_CLOSE)
			break;
		if (s->token.kind == TOKEN_WORD) {
			const struct raw_word *word = &s->token.word;

			if (!first)
				r = word_add(s->shell, ' ', true);
			for (size_t i = 0; i < word->length && r == 0; i++)
				r = word_add(s->shell, word->data[i], true);
			if (word->variables[0])
				r = r
					    ?: word_add_name(s->shell, word->variables,
							     strlen(word->variables));
			first = false;
		} else if (s->token.kind != TOKEN_NEWLINE) {
			r = shell_fail(s, s->token.start, -EINVAL);
		}
		r = r ?: token_take(s);
	}
	s->has_token = false;
	s->command_position = saved.command_position;
	return r < 0 ? r : word_add(s->shell, ')', true);
}

/* An unquoted metacharacter: 1 where it ends the word, else 0 and it was read as a part of it. */
static int metacharacter(struct source *s, size_t word_start)
{
	char c = s->text[s->at];
	int r;

	if (s->shell->plain)
		return 1;
	if (c == '(' && is_pattern(s, word_start))
		return pattern(s);
	if (c == '(' && is_assignment_head(s, word_start)) {
		r = shell_enter(s->shell) ?: array_values(s);
		if (r == 0)
			shell_leave(s->shell);
		return r;
	}
	if ((c == '<' || c == '>') && source_byte(s, 1) == '(') {
		s->at += 2;
		return word_add_unknown(s->shell) ?: expansion_substitution(s);
	}
	return 1;
}

int word_read(struct source *s, struct raw_word *ret_word)
{
	struct word_start start = word_begin(s->shell);
	int r = 0;

	while (r == 0 && s->at < s->length) {
		char c = s->text[s->at];

		if (c && strchr(METACHARACTERS, c))
			r = metacharacter(s, start.bytes);
		else
			r = word_plain_or_quoted(s);
	}
	return r < 0 ? r : word_end(s->shell, start, ret_word);
}

int word_read_delimiter(struct source *s, struct raw_word *ret_word)
{
	struct word_start start = word_begin(s->shell);
	int r = 0;

	while (r == 0 && s->at < s->length && s->text[s->at] &&
	       !strchr(METACHARACTERS, s->text[s->at])) {
		if (s->text[s->at] == '$' && source_byte(s, 1) == '\'')
			r = word_ansi_quotes(s);
		else if (s->text[s->at] == '$' || s->text[s->at] == '`')
			r = word_add(s->shell, s->text[s->at++], false);
		else
			r = word_plain_or_quoted(s);
	}
	return r < 0 ? r : word_end(s->shell, start, ret_word);
}

int word_read_regex(struct source *s, struct raw_word *ret_word)
{
	struct word_start start = word_begin(s->shell);
	int r = 0;

	while (r == 0 && s->at < s->length &&
	       !strchr(" \t\n", s->text[s->at] ? s->text[s->at] : 'x'))
		r = s->text[s->at] == '(' ? parentheses(s) : word_plain_or_quoted(s);
	return r < 0 ? r : word_end(s->shell, start, ret_word);
}
