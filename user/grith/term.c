/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Terminal or not, and what follows from it. A character counts as one column, wide ones too: a
 * table that is a little off is better than a table of character widths.
 */
#include <string.h>
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

static bool starts_character(char byte)
{
	return ((unsigned char)byte & 0xc0) != 0x80;
}

unsigned int term_columns(const char *text)
{
	unsigned int columns = 0;

	for (; *text; text++)
		columns += starts_character(*text);
	return columns;
}

int term_add_cut(struct text *out, const char *text, unsigned int columns)
{
	const char *end = text;
	int r;

	if (!columns || term_columns(text) <= columns)
		return text_add(out, text, strlen(text));
	if (columns <= strlen(CUT))
		return text_add(out, CUT, columns);
	columns -= strlen(CUT);
	while (*end && (columns || !starts_character(*end))) {
		columns -= starts_character(*end);
		end++;
	}
	r = text_add(out, text, end - text);
	return r < 0 ? r : text_add(out, CUT, strlen(CUT));
}
