/* SPDX-License-Identifier: MPL-2.0 */
/* How verbs end: with output on stdout or with a message. Each returns the exit status. */
#pragma once

#include <jansson.h>

#include "lib/base/base.h"

/* One document, indented, in ASCII: what is hostile in it does nothing to a terminal. */
int output_json(const json_t *json);

/* What a view has added to the text where it returned 0, else the message that it failed. */
int output_text(const struct text *text, int r);

/* "grith: ERROR", escaped already and maybe of several lines; NULL: the words for `r`. */
int output_failure(const char *error, int r);
