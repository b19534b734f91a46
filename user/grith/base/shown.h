/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Strings out of grithd's JSON, made fit to be shown. What an agent, a policy or another user put
 * into them must do nothing to the reader's terminal, and missing ones must do nothing to us.
 */
#pragma once

#include <jansson.h>

#include "lib/base/base.h"

/* The string at `key`, or "" where there is none. Borrowed, not escaped. */
const char *shown_string(const json_t *object, const char *key);
int64_t shown_integer(const json_t *object, const char *key);

/*
 * Adds the string at `key`, escaped; where "KEY_hex" has its exact bytes, those. Nothing where it
 * is missing. 0 or -ENOMEM.
 */
int shown_add(struct text *out, const json_t *object, const char *key);

/* One word, quoted where a shell would need it to be; escaped. */
int shown_add_word(struct text *out, const char *bytes, size_t length);

/* A string as it is, an array of strings as a shell would have to be given it; all escaped. */
int shown_add_command(struct text *out, const json_t *command);
