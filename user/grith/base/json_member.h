/* SPDX-License-Identifier: MPL-2.0 */
/* Members of grithd's JSON, whatever it is: one that is missing or of another type is nothing. */
#pragma once

#include <jansson.h>

/* Borrowed, not escaped; "" where there is none. */
static inline const char *member_string(const json_t *object, const char *key)
{
	const char *string = json_string_value(json_object_get(object, key));

	return string ? string : "";
}

static inline int64_t member_integer(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

static inline double member_number(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

static inline bool member_true(const json_t *object, const char *key)
{
	return json_is_true(json_object_get(object, key));
}
