/* SPDX-License-Identifier: MPL-2.0 */
/* Adding to a text as long as nothing has failed. */
#include "line.h"
#include "term.h"

void line_add_bytes(struct line *line, struct record_bytes bytes)
{
	if (line->r == 0)
		line->r = text_add_escaped(line->out, bytes.data, bytes.length);
}

void line_add_u64(struct line *line, uint64_t value)
{
	if (line->r == 0)
		line->r = text_add_u64(line->out, value);
}

void line_add_hundredths(struct line *line, int value)
{
	unsigned int size = value < 0 ? -(unsigned int)value : (unsigned int)value;
	const char fraction[] = { '.', (char)('0' + size / 10 % 10), (char)('0' + size % 10),
				  '\0' };

	if (value < 0)
		line_add(line, "-");
	line_add_u64(line, size / 100);
	line_add(line, fraction);
}

void line_pad(struct line *line, size_t start, unsigned int columns)
{
	static const char spaces[] = "                                ";
	const unsigned int most = sizeof(spaces) - 2;
	unsigned int used, missing;

	if (line->r < 0)
		return;
	used = line->out->length > start ? term_columns(line->out->data + start) : 0;
	missing = used < columns ? columns - used : 0;
	if (missing > most)
		missing = most;
	line->r = text_add(line->out, spaces, missing + 1);
}
