/* SPDX-License-Identifier: MPL-2.0 */
/* In valid JSON anything but ASCII is inside of strings, where an escape means the same. */
#include "json.h"

/* The character that starts at p, valid UTF-8 of more than one byte, and its length. */
static uint32_t character(const unsigned char *p, size_t left, size_t *ret_length)
{
	size_t length = *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : 2;
	uint32_t c = *p & (0x7f >> length);

	if (length > left)
		length = left;
	for (size_t i = 1; i < length; i++)
		c = c << 6 | (p[i] & 0x3f);
	*ret_length = length;
	return c;
}

/* DEL, and what is beyond ASCII. */
static inline uint64_t stops(uint64_t word)
{
	return (word & SWAR_HIGH) | swar_equal(word, 0x7f);
}

static int add_escape(struct text *out, uint32_t c)
{
	if (c < 0x10000)
		return text_addf(out, "\\u%04x", c);
	c -= 0x10000;
	return text_addf(out, "\\u%04x\\u%04x", 0xd800 | (c >> 10 & 0x3ff), 0xdc00 | (c & 0x3ff));
}

int view_json(struct record_bytes json, struct text *out)
{
	const unsigned char *p = (const unsigned char *)json.data, *end = p + json.length;
	int r = 0;

	while (p < end && r == 0) {
		size_t run = swar_run((const char *)p, end - p, stops), length = 1;
		uint32_t c;

		r = text_add(out, (const char *)p, run);
		p += run;
		if (p == end || r < 0)
			break;
		c = *p == 0x7f ? *p : character(p, end - p, &length);
		r = add_escape(out, c);
		p += length;
	}
	return r < 0 ? r : text_add(out, "\n", 1);
}
