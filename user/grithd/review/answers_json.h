/* SPDX-License-Identifier: MPL-2.0 */
/* Kept answers as they lie in a file. */
#pragma once

#include <jansson.h>

#include "answers.h"

/* The caller owns it. NULL: no memory. */
json_t *answers_to_json(const struct answers *answers);

/* Adds to `answers`, which must be empty. 0, -EBADMSG or -ENOMEM; then it is empty again. */
int answers_from_json(const json_t *json, struct answers *answers);
