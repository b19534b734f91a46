/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Escapes what JSON demands, and all else that a terminal would obey or that turns text around,
 * since a log is looked at with all kinds of programs.
 */
#include <string.h>

#include "json_write.h"
#include "swar.h"

static inline void add(struct json_writer *w, const char *bytes, size_t length)
{
	if (w->r == 0)
		w->r = text_add(w->text, bytes, length);
}

/*
 * What comes before a value. Where the value goes, for which there is room for so many bytes; NULL
 * after a failure. end() must follow.
 */
static inline char *begin(struct json_writer *w, const char *name, size_t room)
{
	size_t length = name ? strlen(name) : 0;
	char *p;

	if (w->r == 0)
		w->r = text_reserve(w->text, length + 4 + room);
	if (w->r < 0)
		return NULL;
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
	return p;
}

/* `p` is behind the value. */
static inline void end(struct json_writer *w, char *p)
{
	*p = '\0';
	w->text->length = p - w->text->data;
}

static void add_value(struct json_writer *w, const char *name, const char *json, size_t length)
{
	char *p = begin(w, name, length);

	if (p)
		end(w, mempcpy(p, json, length));
}

void json_open(struct json_writer *w, const char *name)
{
	add_value(w, name, "{", 1);
	w->comma = false;
}

void json_close(struct json_writer *w)
{
	add(w, "}", 1);
	w->comma = true;
}

void json_open_array(struct json_writer *w, const char *name)
{
	add_value(w, name, "[", 1);
	w->comma = false;
}

void json_close_array(struct json_writer *w)
{
	add(w, "]", 1);
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

/* Marks the bytes that need an escape sequence. */
static inline uint64_t stops(uint64_t word)
{
	return swar_unseen(word) | swar_equal(word, '"') | swar_equal(word, '\\');
}

/* Bytes that need no escape, nearly all strings are of them. */
static void add_plain(struct json_writer *w, const char *name, const char *bytes, size_t length)
{
	char *p = begin(w, name, length + 2);

	if (!p)
		return;
	*p++ = '"';
	p = mempcpy(p, bytes, length);
	*p++ = '"';
	end(w, p);
}

/* Returns whether everything could be kept. */
static bool add_escaped(struct json_writer *w, const char *name, const char *bytes, size_t length)
{
	bool exact = true;
	size_t i = 0;

	add_value(w, name, "\"", 1);
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
			add(w, "\xef\xbf\xbd", 3);
			exact = false;
			i++;
		}
	}
	add(w, "\"", 1);
	return exact;
}

void json_raw(struct json_writer *w, const char *name, const char *json)
{
	add_value(w, name, json, strlen(json));
}

void json_hex(struct json_writer *w, const char *name, const char *bytes, size_t length)
{
	static const char digits[] = "0123456789abcdef";

	add_value(w, name, "\"", 1);
	for (size_t i = 0; i < length && w->r == 0; i++) {
		unsigned char c = bytes[i];

		add(w, (char[]) { digits[c >> 4], digits[c & 15] }, 2);
	}
	add(w, "\"", 1);
}

void json_bytes(struct json_writer *w, const char *name, const char *bytes, size_t length)
{
	char hex_name[32];

	if (swar_run(bytes, length, stops) == length) {
		add_plain(w, name, bytes, length);
		return;
	}
	if (add_escaped(w, name, bytes, length) || !name)
		return;
	snprintf(hex_name, sizeof(hex_name), "%s_hex", name);
	json_hex(w, hex_name, bytes, length);
}

void json_text(struct json_writer *w, const char *name, const char *text)
{
	if (text)
		json_bytes(w, name, text, strlen(text));
}

void json_u64(struct json_writer *w, const char *name, uint64_t value)
{
	char *p = begin(w, name, TEXT_U64_MAX);

	if (p)
		end(w, text_put_u64(p, value));
}

void json_u64_text(struct json_writer *w, const char *name, uint64_t value)
{
	char *p = begin(w, name, TEXT_U64_MAX + 2);

	if (!p)
		return;
	*p++ = '"';
	p = text_put_u64(p, value);
	*p++ = '"';
	end(w, p);
}

void json_i64(struct json_writer *w, const char *name, int64_t value)
{
	char *p = begin(w, name, TEXT_U64_MAX + 1);

	if (!p)
		return;
	if (value < 0)
		*p++ = '-';
	end(w, text_put_u64(p, value < 0 ? -(uint64_t)value : (uint64_t)value));
}

void json_hundredths(struct json_writer *w, const char *name, int value)
{
	unsigned int size = value < 0 ? -(unsigned int)value : (unsigned int)value;
	char *p = begin(w, name, TEXT_U64_MAX + 4);

	if (!p)
		return;
	if (value < 0)
		*p++ = '-';
	p = text_put_u64(p, size / 100);
	*p++ = '.';
	end(w, text_put_digits(p, size % 100, 2));
}

json_t *json_of_bytes(const char *bytes, size_t length)
{
	OWNED_TEXT struct text escaped = { 0 };

	if (text_is_utf8(bytes, length))
		return json_stringn(bytes, length);
	return text_add_escaped(&escaped, bytes, length) < 0
		       ? NULL
		       : json_stringn(escaped.data, escaped.length);
}
