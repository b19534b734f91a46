/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Text in and out: the strict parsers of numbers, growing strings, and the escaping of bytes that
 * came from an agent.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cleanup.h"

/*
 * Decimal digits only, no sign, no space, all of the text. -EINVAL where it is not a number,
 * -ERANGE where it is larger than `max`.
 */
int text_parse_u64(const char *text, uint64_t max, uint64_t *ret_value);

/*
 * "3", "3.5", "-0.25" in hundredths: digits, perhaps with a sign before and one or two decimals
 * behind them. -EINVAL where it is no such number, -ERANGE where it is beyond `max` or -`max`,
 * which are whole.
 */
int text_parse_hundredths(const char *text, unsigned int max, int *ret_hundredths);

/* In decimal digits, without a NUL; what is behind them. */
#define TEXT_U64_MAX 20
char *text_put_u64(char *p, uint64_t value);
char *text_put_digits(char *p, uint64_t value, unsigned int digits); /* the last so many */

/* A string that grows. Starts as {0}; text.data is NUL-terminated once anything was added. */
struct text {
	char *data;
	size_t length;
	size_t size;
};

/* Each returns 0 or -ENOMEM; after a failure the text is as it was. */
int text_grow(struct text *t, size_t more); /* for text_reserve() alone */
static inline int text_reserve(struct text *t, size_t more) /* so many bytes, and a NUL */
{
	return more < t->size - t->length ? 0 : text_grow(t, more);
}
int text_add(struct text *t, const char *bytes, size_t length);
int text_add_u64(struct text *t, uint64_t value); /* in decimal digits */
int text_addf(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Adds bytes so that a terminal, a log line and a reader are safe from them: valid UTF-8 that can
 * be seen stays (a backslash is doubled), all else becomes \n, \t, \r, \e or \xNN: control
 * characters, those that change the direction of text, and those without a width.
 */
int text_add_escaped(struct text *t, const char *bytes, size_t length);

/*
 * The same for text of this program in which others' may be, some of it escaped already: newlines,
 * tabs and backslashes stay.
 */
int text_add_harmless(struct text *t, const char *bytes, size_t length);

/* The same, in one line: backslashes alone stay. */
int text_add_line(struct text *t, const char *bytes, size_t length);

/*
 * The length of the valid UTF-8 character at the start of the bytes, and the character; 0 where
 * they do not start with one.
 */
size_t text_next(const char *bytes, size_t length, uint32_t *ret_char);

/*
 * Characters that move the cursor, change the direction of the text around them, or are not seen
 * at all, so that two different names could look the same.
 */
bool text_is_harmful(uint32_t c);

/* Whether the bytes are valid UTF-8 (no surrogates, no overlong forms, no NUL). */
bool text_is_utf8(const char *bytes, size_t length);

/* A string that the caller frees; NULL: no memory. */
char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Copies a string, or NULL as NULL. 0 or -ENOMEM. */
int text_copy(const char *string, char **ret_copy);

void text_free(struct text *t);

#define OWNED_TEXT CLEANUP(text_free)
