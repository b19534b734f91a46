/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Expansions (XCU 2.6): their extent, the variables in them and the commands in them. What they
 * give is not known, but for the default of a variable without a value.
 */
#include "parser.h"

int expansion_substitution(struct source *s)
{
	struct source saved = *s;
	int r = shell_enter(s->shell);

	if (r < 0)
		return r;
	s->shell->level++;
	s->has_token = false;
	s->heres = s->last_here = NULL;
	s->substitution = true;
	s->command_position = true;
	r = grammar_list(s, true) ?: token_peek(s);
	if (r < 0)
		return r;
	if (s->token.kind != TOKEN_CLOSE)
		return shell_fail(s, s->token.kind == TOKEN_END ? saved.at - 1 : s->token.start,
				  -EINVAL);
	s->shell->level--;
	shell_leave(s->shell);
	saved.at = s->at;
	*s = saved;
	return 0;
}

int expansion_is_arithmetic(struct source *s)
{
	size_t open = 1;
	char quote = '\0';

	for (size_t at = s->at; at < s->length; at++) {
		char c = s->text[at];

		if (shell_spend(s->shell, 1) < 0)
			return -E2BIG;
		if (c == '\\' && quote != '\'')
			at++;
		else if (quote)
			quote = c == quote ? '\0' : quote;
		else if (c == '\'' || c == '"' || c == '`')
			quote = c;
		else if (c == '(')
			open++;
		else if (c == ')' && --open == 0)
			return at + 1 < s->length && s->text[at + 1] == ')';
	}
	return false;
}

/* One byte of arithmetic, or what is quoted or expanded in it. */
static int arithmetic_part(struct source *s)
{
	if (s->text[s->at] == '"')
		return word_double_quotes(s);
	if (s->text[s->at] == '$')
		return expansion_dollar(s, true);
	if (s->text[s->at] == '`')
		return expansion_backquote(s, true);
	s->at += s->text[s->at] == '\\' && s->at + 1 < s->length ? 2 : 1;
	return 0;
}

int expansion_arithmetic(struct source *s, const char *end)
{
	struct shell *shell = s->shell;
	char open_byte = end[0] == ')' ? '(' : '[';
	size_t start = s->at, bytes = shell->bytes.length, open = 0;
	int r = shell_enter(shell);

	while (r == 0) {
		char c;

		if (s->at >= s->length)
			return shell_fail(s, start, -EINVAL);
		c = s->text[s->at];
		if (c == end[0] && !open) {
			if (end[1] && source_byte(s, 1) != end[1])
				return shell_fail(s, s->at, -EINVAL);
			break;
		}
		open += c == open_byte;
		open -= c == end[0];
		r = arithmetic_part(s);
	}
	if (r < 0)
		return r;
	s->at += strlen(end);
	shell_leave(shell);
	shell->marks.length -= shell->bytes.length - bytes;
	shell->bytes.length = bytes;
	return 0;
}

/* The name in ${...}; 0 where there is none. */
static size_t parameter_name(const struct source *s, size_t at)
{
	char c = at < s->length ? s->text[at] : '\0';
	size_t n = 0;

	if (c && strchr("@*#?-$!", c))
		return 1;
	while (at + n < s->length && s->text[at + n] && strchr(NAME_BYTES, s->text[at + n]))
		n++;
	return n;
}

/*
 * The rest of ${...}, with its }. Where that is in double quotes, single quotes quote to bash and
 * mean nothing to others.
 */
static int parameter_word(struct source *s, size_t start, bool in_quotes)
{
	int r = 0;

	while (r == 0) {
		if (s->at >= s->length)
			return shell_fail(s, start, -EINVAL);
		if (s->text[s->at] == '}')
			break;
		s->shell->differs |= s->text[s->at] == '\'' && in_quotes;
		if (s->text[s->at] == '\'' && in_quotes && s->shell->plain)
			r = word_add(s->shell, s->text[s->at++], true);
		else if (s->text[s->at] == '$')
			r = expansion_dollar(s, in_quotes);
		else
			r = word_plain_or_quoted(s);
	}
	s->at++;
	return r;
}

/* In front of ${ . */
static int parameter(struct source *s, bool in_quotes)
{
	struct shell *shell = s->shell;
	size_t start = s->at, name, n, bytes;
	bool quoted = shell->quoted, is_default, is_pattern;
	int r;

	s->at += 2;
	if ((source_byte(s, 0) == '#' || source_byte(s, 0) == '!') &&
	    parameter_name(s, s->at + 1) && source_byte(s, 1) != '}')
		s->at++;
	name = s->at;
	n = parameter_name(s, name);
	if (!n)
		return shell_fail(s, start, -EINVAL);
	s->at += n;
	r = strchr(NAME_START, s->text[name]) ? word_add_name(shell, s->text + name, n) : 0;
	r = r ?: word_add_unknown(shell) ?: shell_enter(shell);
	if (r < 0)
		return r;
	if (source_byte(s, 0) == ':' && source_byte(s, 1) && strchr("-=", source_byte(s, 1)))
		s->at++;
	is_default = source_byte(s, 0) == '-' || source_byte(s, 0) == '=';
	is_pattern = source_byte(s, 0) && strchr("#%/^,", source_byte(s, 0));
	s->at += is_default;
	bytes = shell->bytes.length;
	r = parameter_word(s, start, in_quotes && !is_pattern);
	if (r < 0)
		return r;
	shell_leave(shell);
	shell->quoted = quoted;
	if (is_default) {
		memset(shell->marks.data + bytes, 1, shell->marks.length - bytes);
	} else {
		shell->marks.length -= shell->bytes.length - bytes;
		shell->bytes.length = bytes;
	}
	return 0;
}

/* In front of $( : a substitution or arithmetic. */
static int parenthesis(struct source *s)
{
	int r = word_add_unknown(s->shell);

	s->at += 2;
	if (source_byte(s, 0) != '(')
		return r ?: expansion_substitution(s);
	if (r < 0)
		return r;
	s->at++;
	r = expansion_is_arithmetic(s);
	if (r > 0)
		return expansion_arithmetic(s, "))");
	s->at--;
	return r < 0 ? r : expansion_substitution(s);
}

int expansion_dollar(struct source *s, bool in_quotes)
{
	size_t n;
	int r;

	/* From here on only what is behind the $ is looked at, which continuations may precede. */
	s->at++;
	source_skip_continuations(s);
	s->at--;
	switch (source_byte(s, 1)) {
	case '(':
		return parenthesis(s);
	case '{':
		return parameter(s, in_quotes);
	case '[':
		if (s->shell->plain)
			break;
		s->at += 2;
		return word_add_unknown(s->shell) ?: expansion_arithmetic(s, "]");
	case '\'':
		if (!in_quotes && !s->shell->plain)
			return word_ansi_quotes(s);
		break;
	case '"':
		if (!in_quotes) {
			s->at++;
			return word_double_quotes(s);
		}
		break;
	default:
		break;
	}
	n = parameter_name(s, s->at + 1);
	if (!n) {
		s->at++;
		return word_add(s->shell, '$', in_quotes);
	}
	if (s->text[s->at + 1] >= '0' && s->text[s->at + 1] <= '9')
		n = 1;
	r = word_add_unknown(s->shell);
	if (r == 0 && strchr(NAME_START, s->text[s->at + 1]))
		r = word_add_name(s->shell, s->text + s->at + 1, n);
	s->at += 1 + n;
	return r;
}

/* `...`: what a backslash hides in it is read once more. */
int expansion_backquote(struct source *s, bool in_quotes)
{
	OWNED_TEXT struct text inner = { 0 };
	size_t start = s->at++;
	int r = text_add(&inner, "", 0);

	for (; r == 0; s->at++) {
		char next = source_byte(s, 1);

		if (s->at >= s->length)
			return shell_fail(s, start, -EINVAL);
		if (s->text[s->at] == '`')
			break;
		if (s->text[s->at] == '\\' && next &&
		    (strchr("$`\\", next) || (in_quotes && next == '"')))
			s->at++;
		r = text_add(&inner, s->text + s->at, 1);
	}
	s->at++;
	r = r ?: word_add_unknown(s->shell);
	if (r < 0)
		return r;
	s->shell->level++;
	r = shell_read_nested(s, start, (struct bytes) { inner.data, inner.length });
	s->shell->level--;
	return r;
}
