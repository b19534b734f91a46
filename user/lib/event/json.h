/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A scanner over one line of JSON: values are taken one after the other, each strictly of its type,
 * and nothing beyond the line is looked at. For read.c only. Pure.
 *
 * Own code because the log is read by the million lines: the JSON libraries at hand make a tree
 * with several allocations for every line, which takes ten times as long as there is.
 */
#pragma once

#include "lib/record/record.h"

#define LOG_JSON_DEPTH 16 /* of arrays and objects inside one another */

/*
 * `room` is where texts go that are not the same as in the line: as many bytes as the line has from
 * `p` on are enough for all that can be taken from it, since no text is longer than its JSON.
 */
struct log_json {
	const char *p, *end;
	char *room;
};

/* Moves on over one byte if it is there. */
static inline bool log_json_skip(struct log_json *json, char c)
{
	if (json->p == json->end || *json->p != c)
		return false;
	json->p++;
	return true;
}

/* Whether the value that comes next is a string. */
static inline bool log_json_is_text(const struct log_json *json)
{
	return json->p < json->end && *json->p == '"';
}

/*
 * Each takes one value. 0, or -EBADMSG where it is of another type, out of range or no JSON, as
 * RFC 8259 has it but without white space; then the position of the scanner is undefined.
 */
int log_json_text(struct log_json *json, struct record_bytes *ret_text); /* without a NUL */
int log_json_u64(struct log_json *json, uint64_t max, uint64_t *ret_value);
int log_json_int(struct log_json *json, int *ret_value);
/* A number with two decimals at most, in hundredths. */
int log_json_hundredths(struct log_json *json, int *ret_value);
/* A string of hexadecimal digits: the bytes. */
int log_json_hex(struct log_json *json, struct record_bytes *ret_bytes);
/* An array of strings, hexadecimal or not: the bytes of each with a NUL behind it. */
int log_json_texts(struct log_json *json, bool hex, struct record_bytes *ret_texts);
/* Any value: its bytes in the line. */
int log_json_raw(struct log_json *json, struct record_bytes *ret_raw);
