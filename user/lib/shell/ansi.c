/* SPDX-License-Identifier: MPL-2.0 */
/*
 * $'...' of bash and of POSIX.1-2024: the meaning of escape sequences.
 */
#include "parser.h"

/* Up to `most` digits; how many there were. */
static size_t digits(struct source *s, unsigned int base, size_t most, uint32_t *value)
{
	size_t n;

	*value = 0;
	for (n = 0; n < most && text_hex_digit(source_byte(s, 0)) < base; n++)
		*value = *value * base + text_hex_digit(s->text[s->at++]);
	return n;
}

/* As bash does, beyond the end of Unicode, too. */
static int add_character(struct shell *shell, uint32_t c)
{
	char bytes[TEXT_CHAR_MAX], *end;
	int r = 0;

	if (c >= 0x200000)
		return word_add_unknown(shell);
	end = text_put_char(bytes, c);
	for (const char *p = bytes; p < end && r == 0; p++)
		r = word_add(shell, *p, true);
	return r;
}

/* `cut`: a NUL, which ends the string whatever follows in it. */
static int escape(struct source *s, bool *cut)
{
	static const char letters[] = "abeEfnrtv\\'\"?",
			  meanings[] = "\a\b\033\033\f\n\r\t\v\\'\"?";
	size_t start = s->at;
	char c = s->text[s->at++];
	const char *letter = c ? strchr(letters, c) : NULL;
	uint32_t value;

	if (letter)
		return word_add(s->shell, meanings[letter - letters], true);
	if (c == 'u' || c == 'U') {
		if (digits(s, 16, c == 'u' ? 4 : 8, &value)) {
			*cut = !value;
			return value ? add_character(s->shell, value) : 0;
		}
	} else if (c == 'x' || (c >= '0' && c <= '7')) {
		s->at = c == 'x' ? s->at : start;
		if (digits(s, c == 'x' ? 16 : 8, c == 'x' ? 2 : 3, &value)) {
			*cut = !(value & 0xff);
			return *cut ? 0 : word_add(s->shell, (char)value, true);
		}
	} else if (c == 'c' && s->at < s->length && s->text[s->at] != '\'') {
		c = s->text[s->at++];
		*cut = !(c & 0x1f);
		return *cut ? 0 : word_add(s->shell, c == '?' ? 0x7f : (char)(c & 0x1f), true);
	}
	return word_add(s->shell, '\\', true) ?: word_add(s->shell, c, true);
}

int word_ansi_quotes(struct source *s)
{
	struct shell *shell = s->shell;
	size_t start = s->at, kept = 0;
	bool cut = false, was_cut = false;
	int r = 0;

	shell->quoted = true;
	s->at += 2;
	while (r == 0) {
		if (s->at == s->length)
			return shell_fail(s, start, -EINVAL);
		if (s->text[s->at] == '\'')
			break;
		if (s->text[s->at] == '\\' && s->at + 1 < s->length) {
			s->at++;
			shell->differs |= s->text[s->at] == '\'';
			r = escape(s, &cut);
		} else {
			r = word_add(shell, s->text[s->at++], true);
		}
		if (cut && !was_cut) {
			was_cut = true;
			kept = shell->bytes.length;
		}
	}
	s->at++;
	if (r == 0 && was_cut) {
		shell->marks.length -= shell->bytes.length - kept;
		shell->bytes.length = kept;
	}
	return r;
}
