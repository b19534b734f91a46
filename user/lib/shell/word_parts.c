/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Parts of a word that have blanks and operators in them without quotes: extended patterns, the
 * values of an array, process substitutions.
 */
#include <string.h>

#include "parser.h"

/* Parentheses inside of which blanks and operators mean nothing: the pattern of @(a|b), a regex. */
int word_parentheses(struct source *s)
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
	int r;

	/* What it will match is not known, and neither is the byte before it a part of the word. */
	s->shell->bytes.length--;
	s->shell->marks.length--;
	r = word_add_unknown(s->shell);
	if (r == 0) {
		struct raw_word ignored;
		struct word_start start = word_begin(s->shell);

		r = word_parentheses(s);
		if (r == 0)
			r = word_end(s->shell, start, &ignored);
	}
	return r;
}

/*
 * Whether a ( here continues the word: that of an extended pattern. `!(` at the start of a command
 * is `!` and a subshell to a shell that has extended patterns switched off, as they are unless it
 * is told; and `@()` may be the head of a function.
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
			if (r == 0 && word->variables[0])
				r = word_add_name(s->shell, word->variables,
						  strlen(word->variables));
			first = false;
		} else if (s->token.kind != TOKEN_NEWLINE) {
			r = shell_fail(s, s->token.start, -EINVAL);
		}
		if (r == 0)
			r = token_take(s);
	}
	s->has_token = false;
	s->command_position = saved.command_position;
	return r < 0 ? r : word_add(s->shell, ')', true);
}

int word_metacharacter(struct source *s, size_t word_start)
{
	char c = s->text[s->at];
	int r;

	if (s->shell->plain)
		return 1;
	if (c == '(' && is_pattern(s, word_start))
		return pattern(s);
	if (c == '(' && is_assignment_head(s, word_start)) {
		r = shell_enter(s->shell);
		if (r == 0)
			r = array_values(s);
		if (r == 0)
			shell_leave(s->shell);
		return r;
	}
	if ((c == '<' || c == '>') && source_byte(s, 1) == '(') {
		s->at += 2;
		r = word_add_unknown(s->shell);
		return r < 0 ? r : expansion_substitution(s);
	}
	return 1;
}
