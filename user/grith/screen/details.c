/* SPDX-License-Identifier: MPL-2.0 */
/* Each value is made on a line of its own and handed to the picture. */
#include <stdarg.h>

#include "details.h"

void details_add(struct details *details, const char *label, const struct line *value)
{
	if (value->r < 0)
		details->picture->r = value->r;
	picture_add_value(details->picture, label, line_text(value), details->columns,
			  details->most);
}

void details_addf(struct details *details, const char *label, const char *format, ...)
{
	OWNED_MEM char *value = NULL;
	va_list arguments;

	va_start(arguments, format);
	if (vasprintf(&value, format, arguments) < 0) {
		value = NULL; /* vasprintf leaves it undefined */
		details->picture->r = -ENOMEM;
	}
	va_end(arguments);
	if (value)
		picture_add_value(details->picture, label, value, details->columns, details->most);
}

void details_add_bytes(struct details *details, const char *label, struct record_bytes value)
{
	OWNED_LINE struct line line = { .out = &line.own };

	line_add_bytes(&line, value);
	details_add(details, label, &line);
}

void details_add_member(struct details *details, const char *label, const json_t *object,
			const char *key)
{
	OWNED_LINE struct line line = { .out = &line.own };

	line_add_member(&line, object, key);
	details_add(details, label, &line);
}
