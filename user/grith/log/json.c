/* SPDX-License-Identifier: MPL-2.0 */
/* In valid JSON anything but ASCII is inside of strings, where an escape means the same. */
#include "json.h"

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
	const char *p = json.data, *end = p + json.length;
	int r = 0;

	while (p < end && r == 0) {
		size_t run = swar_run(p, end - p, stops), length;
		uint32_t c = 0xfffd; /* where it is not valid UTF-8 after all */

		r = text_add(out, p, run);
		p += run;
		if (p == end || r < 0)
			break;
		length = text_next(p, end - p, &c);
		r = add_escape(out, c);
		p += length ? length : 1;
	}
	return r < 0 ? r : text_add(out, "\n", 1);
}
