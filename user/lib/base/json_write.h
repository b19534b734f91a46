/* SPDX-License-Identifier: MPL-2.0 */
/*
 * One JSON object, written field by field into a growing string. There for the audit log, where a
 * line is made for every operation of every session, and where bytes must survive exactly; replies
 * are made with jansson.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "escape.h"

/* The first failure sticks in `r`, and everything after it does nothing. */
struct json_writer {
	struct text *text;
	bool comma; /* something was written at this level */
	int r;
};

/* '{' and '}' of the object, or of one inside under a name. `name` is NULL where there is none. */
void json_open(struct json_writer *w, const char *name);
void json_close(struct json_writer *w);
void json_open_array(struct json_writer *w, const char *name);
void json_close_array(struct json_writer *w);

/*
 * Bytes that are not valid UTF-8, and NUL, become U+FFFD, and "NAME_hex" has them all in
 * hexadecimal digits. Without a name (in an array) there is no second field; the caller asks
 * text_is_utf8().
 */
void json_bytes(struct json_writer *w, const char *name, const char *bytes, size_t length);
void json_hex(struct json_writer *w, const char *name, const char *bytes, size_t length);

/* A string of this program, or one that ends with a NUL at least. NULL: the field is left out. */
void json_text(struct json_writer *w, const char *name, const char *text);

/* JSON of this program, added unchanged. */
void json_raw(struct json_writer *w, const char *name, const char *json);

void json_u64(struct json_writer *w, const char *name, uint64_t value);
/* As a string, since it may be larger than what JSON readers keep exactly. */
void json_u64_text(struct json_writer *w, const char *name, uint64_t value);
void json_i64(struct json_writer *w, const char *name, int64_t value);
/* Hundredths, as a number with two decimals. */
void json_hundredths(struct json_writer *w, const char *name, int value);

/*
 * A new jansson string, owned by the caller; bytes that are not UTF-8 are escaped. NULL: no memory.
 */
json_t *json_of_bytes(const char *bytes, size_t length);
