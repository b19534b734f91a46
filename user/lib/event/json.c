/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Strings are looked through eight bytes at a time. Those without an escape, nearly all, are not
 * copied.
 */
#include "lib/base/base.h"
#include "json.h"

/*
 * Moves on to the first quote, backslash or control character. What `ret_high` points to gets the
 * high bits of the bytes passed over: whether there is anything but ASCII.
 */
static const char *pass_plain(const char *p, const char *end, uint64_t *ret_high)
{
	uint64_t word, stop, high = 0;

	for (; end - p >= SWAR_BYTES; p += SWAR_BYTES) {
		word = swar_load(p);
		stop = swar_less(word, 0x20) | swar_equal(word, '"') | swar_equal(word, '\\');
		if (stop) {
			*ret_high |= (high | (word & ((stop & -stop) - 1))) & SWAR_HIGH;
			return p + swar_first(stop);
		}
		high |= word;
	}
	while (p < end && *p != '"' && *p != '\\' && (unsigned char)*p >= 0x20)
		high |= (uint64_t)(unsigned char)*p++;
	*ret_high |= high & SWAR_HIGH;
	return p;
}

/* The four digits after "\u". */
static int take_unit(struct log_json *json, uint32_t *ret_unit)
{
	uint32_t unit = 0;

	if (json->end - json->p < 4)
		return -EBADMSG;
	for (int i = 0; i < 4; i++) {
		unsigned int value = text_hex_digit(*json->p++);

		if (value > 15)
			return -EBADMSG;
		unit = unit << 4 | value;
	}
	*ret_unit = unit;
	return 0;
}

/* After "\u": one character, which may be two halves. */
static int take_character(struct log_json *json, uint32_t *ret_character)
{
	uint32_t high, low;
	int r = take_unit(json, &high);

	if (r < 0)
		return r;
	if (high < 0xd800 || high > 0xdfff) {
		*ret_character = high;
		return high ? 0 : -EBADMSG;
	}
	if (high > 0xdbff || !log_json_skip(json, '\\') || !log_json_skip(json, 'u'))
		return -EBADMSG;
	r = take_unit(json, &low);
	if (r < 0 || low < 0xdc00 || low > 0xdfff)
		return -EBADMSG;
	*ret_character = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
	return 0;
}

/* After a backslash. */
static int take_escape(struct log_json *json)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *found;
	uint32_t c;
	int r;

	if (json->p == json->end)
		return -EBADMSG;
	if (*json->p == 'u') {
		json->p++;
		r = take_character(json, &c);
		if (r == 0)
			json->room = text_put_char(json->room, c);
		return r;
	}
	found = memchr(from, *json->p++, sizeof(from) - 1);
	if (!found)
		return -EBADMSG;
	*json->room++ = to[found - from];
	return 0;
}

static void put(struct log_json *json, const char *bytes, size_t length)
{
	memcpy(json->room, bytes, length);
	json->room += length;
}

/* The rest of a string with an escape in it, of which `start` to `json->p` was looked through. */
static int take_escaped(struct log_json *json, const char *start, uint64_t *ret_high)
{
	for (;;) {
		put(json, start, json->p - start);
		if (!log_json_skip(json, '\\'))
			return log_json_skip(json, '"') ? 0 : -EBADMSG;
		if (take_escape(json) < 0)
			return -EBADMSG;
		start = json->p;
		json->p = pass_plain(start, json->end, ret_high);
	}
}

int log_json_text(struct log_json *json, struct record_bytes *ret_text)
{
	struct record_bytes text;
	uint64_t high = 0;
	const char *start;

	if (!log_json_skip(json, '"'))
		return -EBADMSG;
	start = json->p;
	json->p = pass_plain(start, json->end, &high);
	if (log_json_skip(json, '"')) {
		text = (struct record_bytes) { start, json->p - 1 - start };
	} else {
		text.data = json->room;
		if (take_escaped(json, start, &high) < 0)
			return -EBADMSG;
		text.length = json->room - text.data;
	}
	if (high && !text_is_utf8(text.data, text.length))
		return -EBADMSG;
	*ret_text = text;
	return 0;
}

int log_json_u64(struct log_json *json, uint64_t max, uint64_t *ret_value)
{
	const char *start = json->p;
	uint64_t value = 0;

	while (json->p < json->end && *json->p >= '0' && *json->p <= '9') {
		unsigned int ones = *json->p++ - '0';

		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, ones, &value))
			return -EBADMSG;
	}
	if (json->p == start || (*start == '0' && json->p - start > 1) || value > max)
		return -EBADMSG;
	*ret_value = value;
	return 0;
}

int log_json_int(struct log_json *json, int *ret_value)
{
	bool negative = log_json_skip(json, '-');
	uint64_t value;

	if (log_json_u64(json, (uint64_t)INT32_MAX + negative, &value) < 0)
		return -EBADMSG;
	*ret_value = (int)(negative ? -(int64_t)value : (int64_t)value);
	return 0;
}

int log_json_hundredths(struct log_json *json, int *ret_value)
{
	bool negative = log_json_skip(json, '-');
	unsigned int weight = 10;
	uint64_t value;

	if (log_json_u64(json, INT32_MAX / 100 - 1, &value) < 0)
		return -EBADMSG;
	value *= 100;
	if (log_json_skip(json, '.')) {
		const char *start = json->p;

		for (; json->p < json->end && *json->p >= '0' && *json->p <= '9'; weight /= 10)
			value += (*json->p++ - '0') * weight;
		if (json->p == start || json->p - start > 2)
			return -EBADMSG;
	}
	*ret_value = negative ? -(int)value : (int)value;
	return 0;
}

int log_json_hex(struct log_json *json, struct record_bytes *ret_bytes)
{
	const char *start = json->room;

	if (!log_json_skip(json, '"'))
		return -EBADMSG;
	while (!log_json_skip(json, '"')) {
		unsigned int high, low;

		if (json->end - json->p < 2)
			return -EBADMSG;
		high = text_hex_digit(json->p[0]);
		low = text_hex_digit(json->p[1]);
		if (high > 15 || low > 15)
			return -EBADMSG;
		*json->room++ = (char)(high << 4 | low);
		json->p += 2;
	}
	*ret_bytes = (struct record_bytes) { start, json->room - start };
	return 0;
}

int log_json_texts(struct log_json *json, bool hex, struct record_bytes *ret_texts)
{
	struct record_bytes text, all = { json->room, 0 };

	if (!log_json_skip(json, '['))
		return -EBADMSG;
	if (log_json_skip(json, ']')) {
		*ret_texts = all;
		return 0;
	}
	do {
		/* What is unescaped is put where it belongs already. */
		if ((hex ? log_json_hex(json, &text) : log_json_text(json, &text)) < 0)
			return -EBADMSG;
		if (text.data != all.data + all.length)
			put(json, text.data, text.length);
		*json->room++ = '\0';
		all.length = json->room - all.data;
	} while (log_json_skip(json, ','));
	if (!log_json_skip(json, ']'))
		return -EBADMSG;
	*ret_texts = all;
	return 0;
}
