/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The words for what grith_abi.h numbers, sockets and errno: the same ones in the policy, the log,
 * the protocol and on the terminal.
 */
#pragma once

#include <stddef.h>

#include "grith_abi.h"

/* For tables of words from lists X(name, number, word, ...) and X(name, word, ...). */
#define WORD_AT(name, number, word, ...) [number] = (word),
#define WORD_OF(name, word, ...) [name] = (word),
#define WORD_ENUM(name, ...) name,

/* The word of a number, NULL where there is none. */
const char *words_name(const char *const *words, size_t count, unsigned int number);

/* The number of a word, or -EINVAL. */
int words_find(const char *const *words, size_t count, const char *word, size_t length);

#define WORDS_NAME(words, number) words_name(words, ARRAY_SIZE(words), number)
#define WORDS_FIND(words, word, length) words_find(words, ARRAY_SIZE(words), word, length)

/* NAME_name() and NAME_parse() for a table of words. */
#define DEFINE_NAME(name, type, words)            \
	const char *name##_name(type number)      \
	{                                         \
		return WORDS_NAME(words, number); \
	}
#define DEFINE_PARSE(name, type, words)                             \
	int name##_parse(const char *word, type *ret_number)        \
	{                                                           \
		int number = WORDS_FIND(words, word, strlen(word)); \
                                                                    \
		if (number < 0)                                     \
			return number;                              \
		*ret_number = (type)number;                         \
		return 0;                                           \
	}

/* Each NULL for a number that it does not know. */
const char *op_name(unsigned int op);
const char *verdict_name(unsigned int verdict);
const char *mode_name(unsigned int mode);
const char *record_kind_name(unsigned int kind);
const char *family_name(unsigned int family); /* "inet" for AF_INET */
const char *socket_type_name(unsigned int type); /* "stream" for SOCK_STREAM */
const char *errno_name(int error); /* "EACCES" for EACCES */

/* Of one bit: GRITH_RECORD_*, of which MORE has no word; GRITH_CONTEXT_*. */
const char *record_flag_name(unsigned int flag);
const char *context_filter_name(unsigned int filter);

/* Of words without a NUL. GRITH_OP_NONE, -EINVAL and 0 for one that they do not know. */
enum grith_op op_find(const char *word, size_t length);
int verdict_find(const char *word, size_t length);
unsigned int record_flag_find(const char *word, size_t length);
int errno_find(const char *word, size_t length); /* positive */

/* 0, or -EINVAL for a word that they do not know; then the out-parameter is untouched. */
int op_parse(const char *name, enum grith_op *ret_op);
int verdict_parse(const char *name, enum grith_verdict *ret_verdict);
int mode_parse(const char *name, enum grith_mode *ret_mode);
