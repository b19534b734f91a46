/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Escapes what JSON demands, and all else that a terminal would obey or that turns text around,
 * since a log is looked at with all kinds of programs.
 */
#include <string.h>
#include <time.h>

#include "json_write.h"
#include "swar.h"

static inline void add(struct json_writer *w, const char *bytes, size_t length)
{
	if (w->r == 0)
		w->r = text_add(w->text, bytes, length);
}

static inline void add_text(struct json_writer *w, const char *text)
{
	add(w, text, strlen(text));
}

/* What comes before a value. */
static void begin(struct json_writer *w, const char *name)
{
	size_t length = name ? strlen(name) : 0;
	char *p;

	if (w->r == 0)
		w->r = text_reserve(w->text, length + 4);
	if (w->r < 0)
		return;
	p = w->text->data + w->text->length;
	if (w->comma)
		*p++ = ',';
	w->comma = true;
	if (name) {
		*p++ = '"';
		p = mempcpy(p, name, length);
		*p++ = '"';
		*p++ = ':';
	}
	*p = '\0';
	w->text->length = p - w->text->data;
}

void json_open(struct json_writer *w, const char *name)
{
	begin(w, name);
	add_text(w, "{");
	w->comma = false;
}

void json_close(struct json_writer *w)
{
	add_text(w, "}");
	w->comma = true;
}

void json_open_array(struct json_writer *w, const char *name)
{
	begin(w, name);
	add_text(w, "[");
	w->comma = false;
}

void json_close_array(struct json_writer *w)
{
	add_text(w, "]");
	w->comma = true;
}

static void add_unit(struct json_writer *w, uint32_t unit)
{
	static const char digits[] = "0123456789abcdef";
	const char escape[] = { '\\',
				'u',
				digits[unit >> 12 & 15],
				digits[unit >> 8 & 15],
				digits[unit >> 4 & 15],
				digits[unit & 15] };

	add(w, escape, sizeof(escape));
}

/* One character of `length` bytes. */
static void add_character(struct json_writer *w, const char *p, size_t length, uint32_t c)
{
	if (c == '"' || c == '\\') {
		add(w, "\\", 1);
		add(w, p, 1);
	} else if (!text_is_harmful(c)) {
		add(w, p, length);
	} else if (c < 0x10000) {
		add_unit(w, c);
	} else { /* two halves */
		add_unit(w, 0xd800 | ((c - 0x10000) >> 10 & 0x3ff));
		add_unit(w, 0xdc00 | (c & 0x3ff));
	}
}

/* What cannot be copied as it is. */
static inline uint64_t stops(uint64_t word)
{
	return swar_unseen(word) | swar_equal(word, '"') | swar_equal(word, '\\');
}

/* Of bytes that need no escape: nearly all strings. */
static void add_quoted(struct json_writer *w, const char *bytes, size_t length)
{
	char *p;

	if (w->r == 0)
		w->r = text_reserve(w->text, length + 2);
	if (w->r < 0)
		return;
	p = w->text->data + w->text->length;
	*p++ = '"';
	p = mempcpy(p, bytes, length);
	*p++ = '"';
	*p = '\0';
	w->text->length = p - w->text->data;
}

/* Returns whether everything could be kept. */
static bool add_string(struct json_writer *w, const char *bytes, size_t length)
{
	bool exact = true;
	size_t i = 0;

	if (swar_run(bytes, length, stops) == length) {
		add_quoted(w, bytes, length);
		return true;
	}
	add(w, "\"", 1);
	while (i < length && w->r == 0) {
		size_t run = swar_run(bytes + i, length - i, stops), n;
		uint32_t c = 0;

		if (run) {
			add(w, bytes + i, run);
			i += run;
			continue;
		}
		n = text_next(bytes + i, length - i, &c);
		if (n && c) {
			add_character(w, bytes + i, n, c);
			i += n;
		} else {
			add_text(w, "\xef\xbf\xbd");
			exact = false;
			i++;
		}
	}
	add(w, "\"", 1);
	return exact;
}

void json_raw(struct json_writer *w, const char *name, const char *json)
{
	begin(w, name);
	add_text(w, json);
}

bool json_bytes_exact(const char *bytes, size_t length)
{
	return text_is_utf8(bytes, length);
}

void json_hex(struct json_writer *w, const char *name, const char *bytes, size_t length)
{
	static const char digits[] = "0123456789abcdef";

	begin(w, name);
	add(w, "\"", 1);
	for (size_t i = 0; i < length && w->r == 0; i++) {
		unsigned char c = bytes[i];

		add(w, (char[]) { digits[c >> 4], digits[c & 15] }, 2);
	}
	add(w, "\"", 1);
}

void json_bytes(struct json_writer *w, const char *name, const char *bytes, size_t length)
{
	char hex_name[32];
	bool exact;

	begin(w, name);
	exact = add_string(w, bytes, length);
	if (exact || !name)
		return;
	snprintf(hex_name, sizeof(hex_name), "%s_hex", name);
	json_hex(w, hex_name, bytes, length);
}

void json_text(struct json_writer *w, const char *name, const char *text)
{
	if (text)
		json_bytes(w, name, text, strlen(text));
}

static void add_u64(struct json_writer *w, uint64_t value)
{
	if (w->r == 0)
		w->r = text_add_u64(w->text, value);
}

void json_u64(struct json_writer *w, const char *name, uint64_t value)
{
	begin(w, name);
	add_u64(w, value);
}

void json_u64_text(struct json_writer *w, const char *name, uint64_t value)
{
	begin(w, name);
	add(w, "\"", 1);
	add_u64(w, value);
	add(w, "\"", 1);
}

void json_i64(struct json_writer *w, const char *name, int64_t value)
{
	begin(w, name);
	if (value < 0)
		add_text(w, "-");
	add_u64(w, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void json_hundredths(struct json_writer *w, const char *name, int value)
{
	unsigned int size = value < 0 ? -(unsigned int)value : (unsigned int)value;
	const char fraction[] = { '.', (char)('0' + size / 10 % 10), (char)('0' + size % 10) };

	begin(w, name);
	if (value < 0)
		add_text(w, "-");
	add_u64(w, size / 100);
	add(w, fraction, sizeof(fraction));
}

/* Where the digits end: as many as are asked for, the last ones of `value`. */
static char *put_digits(char *p, uint64_t value, unsigned int digits)
{
	for (unsigned int i = digits; i-- > 0; value /= 10)
		p[i] = '0' + value % 10;
	return p + digits;
}

/* Each line has one: strftime() and printf() would be a good part of what it costs. */
void json_format_time(uint64_t nanoseconds, char ret_time[JSON_TIME_SIZE])
{
	time_t seconds = nanoseconds / 1000000000;
	char *p = ret_time;
	struct tm tm;

	gmtime_r(&seconds, &tm);
	p = put_digits(p, tm.tm_year + UINT64_C(1900), 4);
	*p++ = '-';
	p = put_digits(p, tm.tm_mon + UINT64_C(1), 2);
	*p++ = '-';
	p = put_digits(p, tm.tm_mday, 2);
	*p++ = 'T';
	p = put_digits(p, tm.tm_hour, 2);
	*p++ = ':';
	p = put_digits(p, tm.tm_min, 2);
	*p++ = ':';
	p = put_digits(p, tm.tm_sec, 2);
	*p++ = '.';
	p = put_digits(p, nanoseconds % 1000000000, 9);
	memcpy(p, "Z", 2);
}
