/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Bytes that another one owns: any bytes, with no NUL behind them. Length 0: not there, and then
 * `data` may be NULL.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct record_bytes {
	const char *data;
	size_t length;
};

/* NULL: not there. */
static inline struct record_bytes bytes_of(const char *text)
{
	return (struct record_bytes) { text, text ? strlen(text) : 0 };
}

static inline bool bytes_equal(struct record_bytes a, struct record_bytes b)
{
	return a.length == b.length && (!a.length || !memcmp(a.data, b.data, a.length));
}

static inline bool bytes_are(struct record_bytes bytes, const char *text)
{
	return bytes_equal(bytes, bytes_of(text));
}

static inline bool bytes_start(struct record_bytes bytes, const char *with)
{
	size_t length = strlen(with);

	return bytes.length >= length && !memcmp(bytes.data, with, length);
}
