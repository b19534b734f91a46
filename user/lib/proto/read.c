/* SPDX-License-Identifier: MPL-2.0 */
/* Single values of a request: their types and limits, and what to say where they are wrong. */
#include <stdarg.h>

#include "read.h"

int proto_refuse(struct reading *reading, int r, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reading->why, reading->why_size, format, arguments);
	va_end(arguments);
	return r;
}

int proto_refuse_key(struct reading *reading, const char *key)
{
	return proto_refuse(reading, -EINVAL, "unknown key \"%.64s\"", key);
}

int proto_take_string(struct reading *reading, const char *key, json_t *value, const char **field)
{
	if (!json_is_string(value))
		return proto_refuse(reading, -EINVAL, "\"%s\" must be a string", key);
	*field = json_string_value(value);
	return 0;
}

int proto_take_bool(struct reading *reading, const char *key, json_t *value, bool *field)
{
	if (!json_is_boolean(value))
		return proto_refuse(reading, -EINVAL, "\"%s\" must be true or false", key);
	*field = json_is_true(value);
	return 0;
}

int proto_take_number(struct reading *reading, const char *key, json_t *value, int64_t min,
		      int64_t max, int64_t *field)
{
	json_int_t number = json_integer_value(value);

	if (!json_is_integer(value) || number < min || number > max)
		return proto_refuse(reading, -EINVAL,
				    "\"%s\" must be a whole number from %lld to %lld", key,
				    (long long)min, (long long)max);
	*field = number;
	return 0;
}

int proto_take_path(struct reading *reading, const char *key, json_t *value, const char **field)
{
	if (!json_is_string(value) || !proto_path_valid(json_string_value(value)))
		return proto_refuse(reading, -EINVAL,
				    "\"%s\" must be an absolute path of at most %d bytes, longer "
				    "than \"/\", without \"//\", \".\" or \"..\" in it and without "
				    "a slash at its end",
				    key, PROTO_DIRECTORY_MAX);
	*field = json_string_value(value);
	return 0;
}
