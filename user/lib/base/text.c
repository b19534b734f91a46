/* SPDX-License-Identifier: MPL-2.0 */
/* Knows no locale and no encoding. */
#include <string.h>

#include "text.h"

int text_parse_u64(const char *text, uint64_t max, uint64_t *ret_value)
{
	uint64_t value = 0;

	if (!*text || text[strspn(text, "0123456789")])
		return -EINVAL;
	for (const char *p = text; *p; p++) {
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

unsigned int text_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20; /* a small letter */
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
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

char *text_vformat(const char *format, va_list arguments)
{
	char *string;

	return vasprintf(&string, format, arguments) < 0 ? NULL : string;
}

int text_addf(struct text *t, const char *format, ...)
{
	va_list arguments;
	int length, r;

	va_start(arguments, format);
	length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	r = length < 0 ? -ENOMEM : text_reserve(t, length);
	if (r < 0)
		return r;
	va_start(arguments, format);
	vsnprintf(t->data + t->length, (size_t)length + 1, format, arguments);
	va_end(arguments);
	t->length += length;
	return 0;
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

	va_start(arguments, format);
	string = text_vformat(format, arguments);
	va_end(arguments);
	return string;
}

int text_copy(const char *string, char **ret_copy)
{
	*ret_copy = string ? strdup(string) : NULL;
	return string && !*ret_copy ? -ENOMEM : 0;
}
