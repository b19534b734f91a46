/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Names that an agent could give to a file to do something to whoever looks at it later, and what
 * no output may have of them. Failures end the test.
 */
#pragma once

#include <jansson.h>

#include "grith/screen/screen.h"
#include "lib/record/record.h"

extern const struct record_bytes hostile_names[];
extern const size_t n_hostile_names;

/* Whether it can stand in JSON as it is. */
bool hostile_is_text(struct record_bytes name);

/*
 * Valid UTF-8 without anything that a terminal obeys or that turns text around, but for the
 * characters of `allowed`, which the format itself uses.
 */
void hostile_check(const char *what, const struct text *out, const char *allowed);

/* The same, all of it ASCII and JSON. The caller's. */
json_t *hostile_check_json(const char *what, const struct text *out);

/* Each line of it. */
void hostile_check_picture(const char *what, const struct picture *picture);

/*
 * Replaces every string in it by the name. Where that is no text, by U+FFFD, and a string with its
 * bytes in hexadecimal digits is added under "KEY_hex", as grithd does it.
 */
void hostile_fill(json_t *json, struct record_bytes name);
