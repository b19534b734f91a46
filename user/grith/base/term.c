/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Terminal or not, and what follows from it. A character counts for as many columns as a terminal
 * may give it: a table of the program's that is a little too wide is better than a table of
 * character widths, and nothing is lost beyond the right edge.
 */
#include <sys/ioctl.h>

#include "term.h"

#define CUT "..."

/* The variable's value, or NULL where it is not set or empty. */
static const char *environment(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

static bool locale_is_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const char *locale = environment(names[i]);

		if (locale)
			return strcasestr(locale, "utf-8") || strcasestr(locale, "utf8");
	}
	return false;
}

struct term term_of(int fd)
{
	const char *type = environment("TERM");
	struct term term = { .utf8 = locale_is_utf8() };
	struct winsize size;

	if (!isatty(fd))
		return term;
	term.colour = !environment("NO_COLOR") && type && strcmp(type, "dumb") != 0;
	if (ioctl(fd, TIOCGWINSZ, &size) == 0)
		term.width = size.ws_col;
	return term;
}

const char *term_colour(const struct term *term, enum term_colour colour)
{
	static const char *const codes[] = {
		[TERM_PLAIN] = "\033[0m", [TERM_DIM] = "\033[2m",    [TERM_BOLD] = "\033[1m",
		[TERM_RED] = "\033[31m",  [TERM_GREEN] = "\033[32m", [TERM_YELLOW] = "\033[33m",
	};

	return term->colour ? codes[colour] : "";
}

/* Returns the first character and its length in bytes; an invalid byte counts as one character. */
static uint32_t next_character(const char *text, size_t *ret_length)
{
	uint32_t character;

	*ret_length = text_next(text, strnlen(text, 4), &character);
	if (*ret_length)
		return character;
	*ret_length = 1;
	return (unsigned char)*text;
}

/* From Hangul on there are wide ones, and these ranges of narrow ones that are often seen. */
static unsigned int columns_of(uint32_t character)
{
	bool narrow = character < 0x1100 || (character >= 0x1e00 && character <= 0x22ff) ||
		      (character >= 0x2500 && character <= 0x25fc);

	return narrow ? 1 : 2;
}

unsigned int term_columns(const char *text)
{
	unsigned int columns = 0;

	while (*text) {
		size_t length = 1;

		columns += (signed char)*text > 0 ? 1 : columns_of(next_character(text, &length));
		text += length;
	}
	return columns;
}

const char *term_skip(const char *text, unsigned int columns)
{
	while (*text) {
		size_t length;
		unsigned int width = columns_of(next_character(text, &length));

		if (width > columns)
			break;
		columns -= width;
		text += length;
	}
	return text;
}

int term_add_middle(struct text *out, const char *text, unsigned int columns)
{
	unsigned int all = term_columns(text), first, last;
	const char *end;
	int r;

	if (all <= columns)
		return text_add(out, text, strlen(text));
	if (columns <= strlen(CUT))
		return text_add(out, CUT, columns);
	/* More of the end: that is where the name of a file is. */
	first = (columns - strlen(CUT)) / 3;
	last = columns - strlen(CUT) - first;
	end = term_skip(text, all - last);
	/* A wide character across the border is left out. */
	if (term_columns(end) > last)
		end = term_skip(end, 2);
	r = text_add(out, text, term_skip(text, first) - text);
	if (r == 0)
		r = text_add(out, CUT, strlen(CUT));
	return r < 0 ? r : text_add(out, end, strlen(end));
}

int term_add_cut(struct text *out, const char *text, unsigned int columns)
{
	const char *end;
	int r;

	if (!columns || term_columns(text) <= columns)
		return text_add(out, text, strlen(text));
	if (columns <= strlen(CUT))
		return text_add(out, CUT, columns);
	end = term_skip(text, columns - strlen(CUT));
	r = text_add(out, text, end - text);
	return r < 0 ? r : text_add(out, CUT, strlen(CUT));
}
