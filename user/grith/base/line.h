/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Text for people, put together piece by piece: the first failure sticks in `r`, and everything
 * after it does nothing. What is not this program's own is escaped on the way. It is also the fast
 * path of millions of lines of the log: no memory for each piece, no format to be parsed.
 */
#pragma once

#include <jansson.h>

#include "lib/base/base.h"
#include "lib/record/record.h"

/* Onto another text as { .out = text }, or its own: { .out = &line.own } with OWNED_LINE. */
struct line {
	struct text *out;
	int r; /* 0 or -ENOMEM */
	struct text own;
};

void line_free(struct line *line);
#define OWNED_LINE CLEANUP(line_free)

/* What was added; "" where nothing was. */
static inline const char *line_text(const struct line *line)
{
	return line->out->length ? line->out->data : "";
}

/* As it is. Nearly always a literal, whose length is known where this is called. */
static inline void line_add(struct line *line, const char *text)
{
	if (line->r == 0)
		line->r = text_add(line->out, text, strlen(text));
}

/* As it is, too, and frees it; NULL: there was no memory for it. */
void line_take(struct line *line, char *text);
#define line_addf(line, ...) line_take(line, text_format(__VA_ARGS__))

void line_add_bytes(struct line *line, struct record_bytes bytes); /* escaped */
void line_add_u64(struct line *line, uint64_t value);
void line_add_hundredths(struct line *line, int value); /* "-1.50" */
void line_add_moment(struct line *line, int64_t ms); /* as moment_add() */
void line_add_span(struct line *line, int64_t ms);

/* Text that is escaped already, without its end or its middle where it is too wide. */
void line_add_cut(struct line *line, const char *text, unsigned int columns);
void line_add_middle(struct line *line, const char *text, unsigned int columns);

/* Arguments, each with a NUL behind it, quoted where a shell would need it; escaped. */
void line_add_argv(struct line *line, struct record_bytes argv);

void line_add_errno(struct line *line, int error); /* "EACCES"; nothing for 0 */

/* The names of the flags of a record (enum grith_record_flags), with this between them. */
void line_add_flags(struct line *line, unsigned int flags, const char *between);

/* Spaces after what was added from `start` on, up to so many columns, and one more. */
void line_pad(struct line *line, size_t start, unsigned int columns);

/*
 * The string at `key` of an object of grithd's, escaped; where "KEY_hex" has its exact bytes,
 * those. Nothing where it is missing.
 */
void line_add_member(struct line *line, const json_t *object, const char *key);

/* A string of JSON, escaped; nothing where it is something else. */
void line_add_string(struct line *line, const json_t *string);

/* A command: a string as it is, an array as line_add_argv(); all escaped. */
void line_add_command(struct line *line, const json_t *command);
