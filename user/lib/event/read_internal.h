/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The fields of a line: which there are and how they come one after the other is read.c's,
 * what a value means is read_value.c's.
 */
#pragma once

#include "json.h"
#include "read.h"

/* How a field's value is read. */
enum field_type {
	FIELD_PASS, /* checked, and not kept */
	FIELD_VERSION,
	FIELD_TIME,
	FIELD_KIND,
	FIELD_OP,
	FIELD_VERDICT,
	FIELD_ERRNO,
	FIELD_FLAGS,
	FIELD_ARGV,
	FIELD_ARGV_HEX,
	FIELD_MODE, /* of a process a number, of a session a word */
	FIELD_TARGET,
	FIELD_DIGITS, /* a number in a string */
	FIELD_WORD, /* a string, or a number that has no word */
	FIELD_TEXT, /* "NAME_hex" may follow */
	FIELD_RAW,
	FIELD_U64,
	FIELD_U32,
	FIELD_U16,
	FIELD_INT,
	FIELD_HUNDREDTHS,
};

struct field {
	const char *name;
	uint16_t length;
	enum field_type type;
	uint16_t offset; /* in struct log_event; 0 where the type knows */
};

/* A line on its way. */
struct reading {
	struct log_json json;
	struct log_event event;
	struct record_bytes op; /* what it means depends on the kind */
};

/* Reads the value of a field, with which the rest of the line starts. 0 or -EBADMSG. */
int log_event_value(struct reading *reading, const struct field *field);

/* Reads the object with what is known of another process. 0 or -EBADMSG. */
int log_event_target(struct reading *reading);
