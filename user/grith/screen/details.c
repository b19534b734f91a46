/* SPDX-License-Identifier: MPL-2.0 */
/* Each value is made on a line of its own and handed to the picture. */
#include "details.h"

void details_add(struct details *details, const char *label, const struct line *value)
{
	if (value->r < 0)
		details->picture->r = value->r;
	picture_add_value(details->picture, label, line_text(value), details->columns,
			  details->most);
}

void details_take(struct details *details, const char *label, char *value)
{
	OWNED_LINE struct line line = { .out = &line.own };

	line_take(&line, value);
	details_add(details, label, &line);
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
