/* SPDX-License-Identifier: MPL-2.0 */
/* Knows of UTF-8 what is valid, and of characters which ones are harmful. */
#include <string.h>

#include "escape.h"
#include "swar.h"

/* By the number of bytes: the leading bits, and the least character. */
static const struct {
	unsigned char mask, lead;
	uint32_t least;
} forms[] = { { 0x80, 0x00, 0 },
	      { 0xe0, 0xc0, 0x80 },
	      { 0xf0, 0xe0, 0x800 },
	      { 0xf8, 0xf0, 0x10000 } };

char *text_put_char(char *p, uint32_t c)
{
	size_t more = ARRAY_SIZE(forms) - 1;

	while (c < forms[more].least)
		more--;
	*p++ = (char)(forms[more].lead | c >> 6 * more);
	while (more--)
		*p++ = (char)(0x80 | (c >> 6 * more & 0x3f));
	return p;
}

/* Well-formed sequences are those of table 3-7 of the Unicode Standard. */
size_t text_next(const char *bytes, size_t left, uint32_t *ret_char)
{
	const unsigned char *p = (const unsigned char *)bytes;
	size_t length;
	uint32_t c;

	if (!left)
		return 0;
	for (length = 1; length <= ARRAY_SIZE(forms); length++)
		if ((*p & forms[length - 1].mask) == forms[length - 1].lead)
			break;
	if (length > ARRAY_SIZE(forms) || length > left)
		return 0;
	c = *p & ~forms[length - 1].mask;
	for (size_t i = 1; i < length; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	if (c < forms[length - 1].least || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	*ret_char = c;
	return length;
}

/* Marks the bytes of a word that are NUL or not ASCII. */
static inline uint64_t stops_ascii(uint64_t word)
{
	return (word & SWAR_HIGH) | swar_equal(word, 0);
}

bool text_is_utf8(const char *bytes, size_t length)
{
	uint32_t c;

	while (length) {
		size_t n = swar_run(bytes, length, stops_ascii);

		if (!n)
			n = text_next(bytes, length, &c);
		if (!n || !*bytes)
			return false;
		bytes += n;
		length -= n;
	}
	return true;
}

bool text_is_harmful(uint32_t c)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{ 0x0000, 0x001f },   { 0x007f, 0x009f }, { 0x00ad, 0x00ad }, { 0x061c, 0x061c },
		{ 0x180e, 0x180e },   { 0x200b, 0x200f }, { 0x2028, 0x202e }, { 0x2060, 0x206f },
		{ 0xfdd0, 0xfdef },   { 0xfeff, 0xfeff }, { 0xfff0, 0xfffb }, { 0xfffe, 0xffff },
		{ 0xe0000, 0xe0fff },
	};

	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++)
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	return false;
}

static int add_escaped_byte(struct text *t, unsigned char byte)
{
	static const char bytes[] = "\n\t\r\x1b", letters[] = "ntre";
	const char *found = memchr(bytes, byte, sizeof(bytes) - 1);

	return found ? text_addf(t, "\\%c", letters[found - bytes]) : text_addf(t, "\\x%02x", byte);
}

/* Marks the bytes that need escaping or are not ASCII. */
static inline uint64_t stops_plain(uint64_t word)
{
	return swar_unseen(word) | swar_equal(word, '\\');
}

/* The character or the byte at the start, escaped unless it is harmless or one of `keep`. */
static int add_next(struct text *t, const char *bytes, size_t length, const char *keep,
		    size_t *ret_length)
{
	uint32_t c = 0;
	size_t n = text_next(bytes, length, &c);
	int r = 0;

	*ret_length = n ? n : 1;
	if (n && ((c && c < 0x80 && strchr(keep, (int)c)) || (c != '\\' && !text_is_harmful(c))))
		return text_add(t, bytes, n);
	if (c == '\\')
		return text_add(t, "\\\\", 2);
	for (size_t i = 0; i < *ret_length && r == 0; i++)
		r = add_escaped_byte(t, (unsigned char)bytes[i]);
	return r;
}

static int add_escaped(struct text *t, const char *bytes, size_t length, const char *keep)
{
	size_t before = t->length;
	int r = text_reserve(t, length);

	while (r == 0 && length) {
		size_t n = swar_run(bytes, length, stops_plain);

		r = n ? text_add(t, bytes, n) : add_next(t, bytes, length, keep, &n);
		bytes += n;
		length -= n;
	}
	if (r < 0)
		t->length = before;
	if (t->data)
		t->data[t->length] = '\0';
	return r;
}

int text_add_escaped(struct text *t, const char *bytes, size_t length)
{
	return add_escaped(t, bytes, length, "");
}

int text_add_harmless(struct text *t, const char *bytes, size_t length)
{
	return add_escaped(t, bytes, length, "\\\n\t");
}

int text_add_line(struct text *t, const char *bytes, size_t length)
{
	return add_escaped(t, bytes, length, "\\");
}
