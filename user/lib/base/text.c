/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Numbers, growing strings and escaping. Knows UTF-8 only as far as telling valid from invalid and
 * harmless from harmful to a terminal; it knows no locale.
 */
#include <stdarg.h>
#include <string.h>

#include "swar.h"
#include "text.h"

int text_parse_u64(const char *text, uint64_t max, uint64_t *ret_value)
{
	uint64_t value = 0;
	const char *p;

	if (!*text)
		return -EINVAL;
	for (p = text; *p; p++)
		if (*p < '0' || *p > '9')
			return -EINVAL;
	for (p = text; *p; p++) {
		unsigned int digit = *p - '0';

		if (value > (UINT64_MAX - digit) / 10)
			return -ERANGE;
		value = value * 10 + digit;
		if (value > max)
			return -ERANGE;
	}
	*ret_value = value;
	return 0;
}

int text_parse_hundredths(const char *text, unsigned int max, int *ret_hundredths)
{
	bool negative = *text == '-';
	const char *dot = strchrnul(text, '.');
	size_t digits = *dot ? strlen(dot + 1) : 0;
	char whole[16], fraction[] = "00";
	uint64_t high, low;
	int r;

	text += negative;
	if ((size_t)(dot - text) >= sizeof(whole) || (*dot && !digits) || digits > 2)
		return -EINVAL;
	memcpy(whole, text, dot - text);
	whole[dot - text] = '\0';
	if (digits)
		memcpy(fraction, dot + 1, digits);
	if (text_parse_u64(fraction, 99, &low) < 0)
		return -EINVAL;
	r = text_parse_u64(whole, max, &high);
	if (r < 0)
		return r;
	if (high * 100 + low > (uint64_t)max * 100)
		return -ERANGE;
	*ret_hundredths = (int)(high * 100 + low) * (negative ? -1 : 1);
	return 0;
}

int text_grow(struct text *t, size_t more)
{
	size_t size = t->size ? t->size : 64, wanted;
	char *data;

	if (__builtin_add_overflow(t->length, more, &wanted) ||
	    __builtin_add_overflow(wanted, 1, &wanted))
		return -ENOMEM;
	while (size < wanted)
		if (__builtin_mul_overflow(size, 2, &size))
			return -ENOMEM;
	data = realloc(t->data, size);
	if (!data)
		return -ENOMEM;
	t->data = data;
	t->size = size;
	return 0;
}

int text_add(struct text *t, const char *bytes, size_t length)
{
	int r = text_reserve(t, length);

	if (r < 0)
		return r;
	if (length)
		memcpy(t->data + t->length, bytes, length);
	t->length += length;
	t->data[t->length] = '\0';
	return 0;
}

char *text_put_u64(char *p, uint64_t value)
{
	char digits[TEXT_U64_MAX];
	size_t at = sizeof(digits);

	do
		digits[--at] = (char)('0' + value % 10);
	while (value /= 10);
	return mempcpy(p, digits + at, sizeof(digits) - at);
}

char *text_put_digits(char *p, uint64_t value, unsigned int digits)
{
	for (unsigned int i = digits; i-- > 0; value /= 10)
		p[i] = (char)('0' + value % 10);
	return p + digits;
}

int text_add_u64(struct text *t, uint64_t value)
{
	int r = text_reserve(t, TEXT_U64_MAX);

	if (r < 0)
		return r;
	t->length = text_put_u64(t->data + t->length, value) - t->data;
	t->data[t->length] = '\0';
	return 0;
}

int text_addf(struct text *t, const char *format, ...)
{
	va_list arguments;
	int length, r;

	va_start(arguments, format);
	length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	if (length < 0)
		return -ENOMEM;
	r = text_reserve(t, length);
	if (r < 0)
		return r;
	va_start(arguments, format);
	vsnprintf(t->data + t->length, (size_t)length + 1, format, arguments);
	va_end(arguments);
	t->length += length;
	return 0;
}

/* Well-formed sequences are those of table 3-7 of the Unicode Standard. */
size_t text_next(const char *bytes, size_t left, uint32_t *ret_char)
{
	const unsigned char *p = (const unsigned char *)bytes;
	static const struct {
		unsigned char mask, lead;
		uint32_t least;
	} forms[] = { { 0x80, 0x00, 0 },
		      { 0xe0, 0xc0, 0x80 },
		      { 0xf0, 0xe0, 0x800 },
		      { 0xf8, 0xf0, 0x10000 } };
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

/* What is not ASCII, and NUL. */
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
	switch (byte) {
	case '\n':
		return text_add(t, "\\n", 2);
	case '\t':
		return text_add(t, "\\t", 2);
	case '\r':
		return text_add(t, "\\r", 2);
	case 0x1b:
		return text_add(t, "\\e", 2);
	default:
		return text_addf(t, "\\x%02x", byte);
	}
}

/* What does not stay as it is, or is more than ASCII. */
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

void text_free(struct text *t)
{
	if (!t)
		return;
	free(t->data);
	*t = (struct text) { 0 };
}

char *text_format(const char *format, ...)
{
	va_list arguments;
	char *string;
	int n;

	va_start(arguments, format);
	n = vasprintf(&string, format, arguments);
	va_end(arguments);
	return n < 0 ? NULL : string;
}

int text_copy(const char *string, char **ret_copy)
{
	*ret_copy = string ? strdup(string) : NULL;
	return string && !*ret_copy ? -ENOMEM : 0;
}
