/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Nothing here trusts that what is opened is closed again: everything ends with the text at the
 * latest.
 */
#include <ctype.h>
#include <limits.h>

#include "text.h"

#define NESTED_MAX 8 /* annotations inside one another; strace has two */

static bool is_of_word(struct record_bytes t, size_t at)
{
	return at < t.length && (isalnum((unsigned char)t.data[at]) || t.data[at] == '_');
}

static size_t skip_string(struct record_bytes t, size_t at)
{
	for (at++; at < t.length && t.data[at] != '"'; at++)
		at += t.data[at] == '\\' && at + 1 < t.length;
	return at < t.length ? at + 1 : at;
}

/*
 * "</dev/null<char 1:3>>", "<TCP:[127.0.0.1:1->127.0.0.1:2]>". strace writes a ">" of a path as
 * "\76". What opens more and more is given up soon: it would be gone through from each place anew.
 */
static size_t skip_annotation(struct record_bytes t, size_t at)
{
	size_t depth = 0, i;

	for (i = at; i < t.length && depth <= NESTED_MAX; i++)
		if (t.data[i] == '\\')
			i++;
		else if (t.data[i] == '<')
			depth++;
		else if (t.data[i] == '>' && t.data[i - 1] != '-' && --depth == 0)
			return i + 1;
	return at + 1; /* not closed: it is just a character */
}

static size_t skip_comment(struct record_bytes t, size_t at)
{
	const char *end = memmem(t.data + at + 2, t.length - at - 2, "*/", 2);

	return end ? (size_t)(end + 2 - t.data) : t.length;
}

size_t strace_skip(struct record_bytes t, size_t at)
{
	switch (t.data[at]) {
	case '"':
		return skip_string(t, at);
	case '<':
		return at && is_of_word(t, at - 1) ? skip_annotation(t, at) : at + 1;
	case '/':
		return at + 1 < t.length && t.data[at + 1] == '*' ? skip_comment(t, at) : at + 1;
	default:
		return at + 1;
	}
}

static int digit_of(char c, unsigned int base)
{
	int d = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;

	return d < (int)base ? d : -1;
}

/* Up to `most` digits at `at`; one behind the last. */
static size_t take_digits(struct record_bytes t, size_t at, size_t most, unsigned int base,
			  char *ret_byte)
{
	unsigned int value = 0;
	size_t end = at + most < t.length ? at + most : t.length;

	for (; at < end && digit_of(t.data[at], base) >= 0; at++)
		value = value * base + (unsigned int)digit_of(t.data[at], base);
	*ret_byte = (char)value;
	return at;
}

/* What follows a backslash at `at`; one behind it. */
static size_t unescape(struct record_bytes t, size_t at, char *ret_byte)
{
	static const char letters[] = "abtnvfr"; /* 7 to 13 */
	const char *letter;

	if (t.data[at] == 'x' && at + 1 < t.length && digit_of(t.data[at + 1], 16) >= 0)
		return take_digits(t, at + 1, 2, 16, ret_byte);
	if (digit_of(t.data[at], 8) >= 0)
		return take_digits(t, at, 3, 8, ret_byte);
	letter = memchr(letters, t.data[at], sizeof(letters) - 1);
	*ret_byte = letter ? (char)(letter - letters + 7) : t.data[at];
	return at + 1;
}

/* Decodes up to `end`, where a quote or the end of an annotation is. */
static int decode(struct record_bytes t, size_t at, size_t end, struct text *out)
{
	while (at < end) {
		size_t from = at;
		char byte;
		int r;

		while (at < end && t.data[at] != '\\')
			at++;
		r = text_add(out, t.data + from, at - from);
		if (r == 0 && at + 1 < end) {
			at = unescape((struct record_bytes) { t.data, end }, at + 1, &byte);
			r = text_add(out, &byte, 1);
		} else {
			at = end;
		}
		if (r < 0)
			return r;
	}
	return 0;
}

int strace_string(struct record_bytes quoted, struct text *out, bool *ret_cut)
{
	size_t end;
	int r;

	if (!bytes_start(quoted, "\""))
		return -EBADMSG;
	end = skip_string(quoted, 0);
	if (end < 2 || quoted.data[end - 1] != '"')
		return -EBADMSG;
	r = decode(quoted, 1, end - 1, out);
	if (r == 0)
		*ret_cut = bytes_start(strace_from(quoted, end), "...");
	return r;
}

int strace_strings(struct record_bytes array, struct text *out, bool *ret_cut)
{
	bool cut = false, all = false;
	size_t at = 1;

	if (!bytes_start(array, "["))
		return -EBADMSG;
	while (at < array.length && array.data[at] != ']') {
		bool one_cut;
		int r;

		if (array.data[at] == '.' || array.data[at] == '/') {
			all = true; /* "...": there were more */
			break;
		}
		if (array.data[at] != '"') {
			at++;
			continue;
		}
		r = strace_string(strace_from(array, at), out, &one_cut);
		if (r == 0)
			r = text_add(out, "", 1);
		if (r < 0)
			return r;
		at = strace_skip(array, at);
		at += one_cut ? 3 : 0;
		cut |= one_cut;
	}
	*ret_cut = cut || all;
	return 0;
}

size_t strace_number(struct record_bytes t, uint64_t *ret_value)
{
	unsigned int base = bytes_start(t, "0x") ? 16 : 10;
	size_t first = base == 16 ? 2 : 0, at = first;
	uint64_t value = 0;

	for (; at < t.length && digit_of(t.data[at], base) >= 0; at++)
		if (__builtin_mul_overflow(value, base, &value) ||
		    __builtin_add_overflow(value, (uint64_t)digit_of(t.data[at], base), &value))
			return 0;
	if (at == first)
		return 0;
	*ret_value = value;
	return at;
}

int strace_descriptor(struct record_bytes arg, int *ret_fd)
{
	uint64_t value;

	if (bytes_start(arg, "AT_FDCWD")) {
		*ret_fd = -1;
		return 0;
	}
	if (!strace_number(arg, &value) || value > INT_MAX)
		return -EBADMSG;
	*ret_fd = (int)value;
	return 0;
}

bool strace_annotation(struct record_bytes arg, struct text *out)
{
	size_t at = strace_find(arg, "<"), end = at + 1;

	if (end >= arg.length || arg.data[end] != '/')
		return false;
	while (end < arg.length && arg.data[end] != '<' && arg.data[end] != '>')
		end += arg.data[end] == '\\' ? 2 : 1;
	return end < arg.length && decode(arg, at + 1, end, out) == 0;
}

bool strace_has_flag(struct record_bytes arg, const char *flag)
{
	for (size_t at = 0, length = strlen(flag); at < arg.length; at++) {
		at += strace_find(strace_from(arg, at), flag);
		if (at < arg.length && (!at || !is_of_word(arg, at - 1)) &&
		    !is_of_word(arg, at + length))
			return true;
	}
	return false;
}

size_t strace_find(struct record_bytes text, const char *what)
{
	const char *found = text.length ? memmem(text.data, text.length, what, strlen(what)) : NULL;

	return found ? (size_t)(found - text.data) : text.length;
}
