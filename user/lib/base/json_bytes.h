/* SPDX-License-Identifier: MPL-2.0 */
/* Any bytes, such as names that an agent chose, in a JSON object that people read. */
#pragma once

#include <stddef.h>

#include <jansson.h>

/* A JSON string; what is not UTF-8 is escaped. The caller's; NULL: no memory. */
json_t *json_of_bytes(const char *bytes, size_t length);
