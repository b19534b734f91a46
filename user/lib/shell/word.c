/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Words: quotes and escapes, and where a word ends (XCU 2.2, 2.3). Words that are not finished are
 * on a stack, since a substitution in one has words of its own.
 */
#include <string.h>

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
	int r = text_add(&shell->bytes, &byte, 1);

	return r < 0 ? r : text_add(&shell->marks, &mark, 1);
}

int word_add_unknown(struct shell *shell)
{
	return word_add(shell, '\0', true);
}

int word_add_name(struct shell *shell, const char *name, size_t length)
{
	int r = text_add(&shell->names, name, length);

	return r < 0 ? r : text_add(&shell->names, " ", 1);
}

int word_single_quotes(struct source *s)
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
		if (s->text[s->at] == '\\')
			r = backslash(s, "$`\"\\");
		else if (s->text[s->at] == '$')
			r = expansion_dollar(s, true);
		else if (s->text[s->at] == '`')
			r = expansion_backquote(s, true);
		else
			r = word_add(s->shell, s->text[s->at++], true);
	}
	s->at++;
	return r;
}

int word_here(struct source *s)
{
	int r = 0;

	while (r == 0 && s->at < s->length) {
		if (s->text[s->at] == '\\')
			r = backslash(s, "$`\\");
		else if (s->text[s->at] == '$')
			r = expansion_dollar(s, true);
		else if (s->text[s->at] == '`')
			r = expansion_backquote(s, true);
		else
			r = word_add(s->shell, s->text[s->at++], true);
	}
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
		return word_single_quotes(s);
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

int word_read(struct source *s, struct raw_word *ret_word)
{
	struct word_start start = word_begin(s->shell);
	int r = 0;

	while (r == 0 && s->at < s->length) {
		char c = s->text[s->at];

		if (c && strchr(METACHARACTERS, c))
			r = word_metacharacter(s, start.bytes);
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
		r = s->text[s->at] == '(' ? word_parentheses(s) : word_plain_or_quoted(s);
	return r < 0 ? r : word_end(s->shell, start, ret_word);
}
