/* SPDX-License-Identifier: MPL-2.0 */
/* Strings: strict parsers of numbers, and strings that grow. */
#pragma once

#include <stdarg.h>
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

/* A string that the caller frees; NULL: no memory. */
char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *text_vformat(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));

/* Copies a string, or NULL as NULL. 0 or -ENOMEM. */
int text_copy(const char *string, char **ret_copy);

/* The value of a hexadecimal digit; 16 where it is none. */
unsigned int text_hex_digit(char c);

void text_free(struct text *t);

#define OWNED_TEXT CLEANUP(text_free)
