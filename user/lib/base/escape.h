/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Escaping: where bytes that came from others are made harmless for terminals, logs and readers.
 */
#pragma once

#include "text.h"

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

/* Writes a character of less than 0x200000 as UTF-8; what is behind its bytes. */
#define TEXT_CHAR_MAX 4
char *text_put_char(char *p, uint32_t c);

/*
 * Characters that move the cursor, change the direction of the text around them, or are not seen
 * at all, so that two different names could look the same.
 */
bool text_is_harmful(uint32_t c);

/* Whether the bytes are valid UTF-8 (no surrogates, no overlong forms, no NUL). */
bool text_is_utf8(const char *bytes, size_t length);
