/* SPDX-License-Identifier: MPL-2.0 */
/* What is harmful is spelled out here, not taken from what is tested. */
#include <criterion/criterion.h>
#include <string.h>

#include "hostile.h"

#define NAME(string)                         \
	{                                    \
		(string), sizeof(string) - 1 \
	}
#define TEN(string) string string string string string string string string string string

const struct record_bytes hostile_names[] = {
	NAME("two\nlines"),
	NAME("\n{\"v\":1,\"kind\":\"gap\",\"lost\":7}\n"),
	NAME("back\rover\b\b\x7f"),
	NAME("\ttab\vdown\fform"),
	NAME("\x1b[2J\x1b]0;title\x07\x1b[31m"),
	NAME("\xc2\x9b"
	     "2J\xc2\x9d"
	     "0;title\xc2\x9c"),
	NAME("<script>alert(1)</script><!-- ]]>"),
	NAME("</title></script></style><img src=x onerror=alert(1)>"),
	NAME("\" onload=\"x' style='&lt;&#60;&"),
	NAME("gpj.\xe2\x80\xaexcod\xe2\x80\xac"),
	NAME("\xe2\x81\xa6\xe2\x81\xa7\xe2\x81\xa8\xe2\x81\xa9\xe2\x80\x8f\xd8\x9c"),
	NAME("a\xe2\x80\x8b\xef\xbb\xbf\xf3\xa0\x81\x81\xe2\x80\xa8\xe2\x80\xa9"
	     "b"),
	NAME("\xff\xfe\x80/\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80\xe2\x80"),
	NAME("\xff\n\x1b[2J,\"\xe2\x80\xae"),
	NAME("%s%n%s%n%1$s%99999d%"),
	NAME("=cmd|' /C calc'!A0"),
	NAME("+1"),
	NAME("-1"),
	NAME("@SUM(1)"),
	NAME("\"=1\",,\"\r\n=2"),
	NAME(" ,\"quoted\",' "),
	NAME("\\n\\e\\u001b\\\\"),
	NAME("${HOME}`id`$(id);|&"),
	NAME("\xe7\x95\x8c\xcc\x81\xcc\x81\xcc\x81\xf0\x9f\x98\x80"),
	NAME(TEN(TEN("deep/\x1b[2J\xe2\x80\xae")) TEN(TEN("\xe7\x95\x8c\n\"<"))),
};
const size_t n_hostile_names = ARRAY_SIZE(hostile_names);

bool hostile_is_text(struct record_bytes name)
{
	return text_is_utf8(name.data, name.length);
}

static bool is_harmful(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x061c || c == 0x200b ||
	       (c >= 0x200e && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069) || c == 0xfeff || (c >= 0xe0000 && c <= 0xe007f);
}

static void check(const char *what, const char *text, size_t length, const char *allowed)
{
	for (size_t i = 0, n; i < length; i += n) {
		uint32_t c = 0;

		n = text_next(text + i, length - i, &c);
		cr_assert(n, "%s: not UTF-8 at %zu of %s", what, i, text);
		cr_assert(!is_harmful(c) || (c && c < 0x80 && strchr(allowed, (int)c)),
			  "%s: U+%04x at %zu of %s", what, c, i, text);
	}
}

void hostile_check(const char *what, const struct text *out, const char *allowed)
{
	cr_assert(out->data, "%s", what);
	check(what, out->data, out->length, allowed);
}

json_t *hostile_check_json(const char *what, const struct text *out)
{
	json_error_t error;
	json_t *json = json_loadb(out->data, out->length, JSON_REJECT_DUPLICATES, &error);

	cr_assert(json, "%s: %s: %s", what, error.text, out->data);
	hostile_check(what, out, "\n");
	return json;
}

void hostile_check_picture(const char *what, const struct picture *picture)
{
	for (size_t i = 0; i < picture->count; i++)
		check(what, picture->lines[i].text.data, picture->lines[i].text.length, "");
}

static json_t *as_hex(struct record_bytes name)
{
	OWNED_TEXT struct text hex = { 0 };

	for (size_t i = 0; i < name.length; i++)
		cr_assert_eq(text_addf(&hex, "%02x", (unsigned char)name.data[i]), 0);
	return json_string(hex.data);
}

static json_t *as_string(struct record_bytes name)
{
	return hostile_is_text(name) ? json_stringn(name.data, name.length)
				     : json_string("\xef\xbf\xbd");
}

static void fill_object(json_t *object, struct record_bytes name)
{
	json_auto_t *more = json_object();
	const char *key;
	json_t *value;

	json_object_foreach (object, key, value) {
		char hex[64];

		if (!json_is_string(value)) {
			hostile_fill(value, name);
			continue;
		}
		json_object_set_new(more, key, as_string(name));
		snprintf(hex, sizeof(hex), "%s_hex", key);
		if (!hostile_is_text(name))
			json_object_set_new(more, hex, as_hex(name));
	}
	json_object_update(object, more);
}

void hostile_fill(json_t *json, struct record_bytes name)
{
	json_t *value;
	size_t i;

	if (json_is_object(json))
		fill_object(json, name);
	json_array_foreach (json, i, value) {
		if (json_is_string(value))
			json_array_set_new(json, i, as_string(name));
		else
			hostile_fill(value, name);
	}
}
