/* SPDX-License-Identifier: MPL-2.0 */
/* Lines of a picture, and the wrapping of long values into them. */
#include <string.h>

#include "array.h"
#include "picture.h"
#include "term.h"

int picture_add(struct picture *picture, enum picture_style style, unsigned int label,
		const char *text)
{
	struct picture_line line = { .style = style, .label = label };
	int r = ARRAY_GROW(picture->lines, picture->count);

	if (r == 0)
		r = text_add(&line.text, text, strlen(text));
	if (r == 0)
		picture->lines[picture->count++] = line;
	return r;
}

int picture_add_value(struct picture *picture, const char *label, const char *value,
		      unsigned int columns, unsigned int most)
{
	unsigned int width = columns > PICTURE_LABEL + 8 ? columns - PICTURE_LABEL : 8;
	OWNED_TEXT struct text cut = { 0 };
	const char *at, *next;
	int r = term_add_middle(&cut, value, width * most);

	picture->cut |= term_columns(value) > width * most;
	for (at = cut.data ? cut.data : ""; r == 0 && *at; at = next) {
		OWNED_TEXT struct text line = { 0 };

		next = term_skip(at, width);
		r = text_addf(&line, "%-*s%.*s", PICTURE_LABEL, at == cut.data ? label : "",
			      (int)(next - at), at);
		if (r == 0)
			r = picture_add(picture, PICTURE_PLAIN, PICTURE_LABEL, line.data);
	}
	return r;
}

void picture_free(struct picture *picture)
{
	if (!picture)
		return;
	for (size_t i = 0; i < picture->count; i++)
		text_free(&picture->lines[i].text);
	free(picture->lines);
	*picture = (struct picture) { 0 };
}
