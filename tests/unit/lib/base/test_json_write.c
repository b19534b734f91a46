/* SPDX-License-Identifier: MPL-2.0 */
/* What is written is JSON, whatever the bytes, and the exact bytes can be had back. */

#include <criterion/criterion.h>
#include <jansson.h>

#include "lib/base/base.h"

static void expect_bytes(const char *bytes, size_t length, const char *wanted)
{
	OWNED_TEXT struct text text = { 0 };
	struct json_writer w = { .text = &text };

	json_open(&w, NULL);
	json_bytes(&w, "x", bytes, length);
	json_close(&w);
	cr_assert_eq(w.r, 0);
	cr_assert_str_eq(text.data, wanted);
}

Test(json_write, plain_text_stays)
{
	expect_bytes("/usr/bin/node", 13, "{\"x\":\"/usr/bin/node\"}");
	expect_bytes("", 0, "{\"x\":\"\"}");
	expect_bytes("f\xc3\xbcr \xf0\x9f\x8d\x8e", 9, "{\"x\":\"f\xc3\xbcr \xf0\x9f\x8d\x8e\"}");
}

Test(json_write, what_json_and_terminals_mind_is_escaped)
{
	expect_bytes("a\"b\\c", 5, "{\"x\":\"a\\\"b\\\\c\"}");
	expect_bytes("\n\t\x1b[31m\x7f", 8, "{\"x\":\"\\u000a\\u0009\\u001b[31m\\u007f\"}");
	expect_bytes("\xc2\x9b", 2, "{\"x\":\"\\u009b\"}"); /* CSI, in one character */
	expect_bytes("\xe2\x80\xae", 3, "{\"x\":\"\\u202e\"}"); /* from right to left */
	expect_bytes("\xf3\xa0\x81\x81", 4, "{\"x\":\"\\udb40\\udc41\"}"); /* a tag, not seen */
}

Test(json_write, bytes_that_are_no_text_are_in_hex_too)
{
	expect_bytes("a\xff", 2, "{\"x\":\"a\xef\xbf\xbd\",\"x_hex\":\"61ff\"}");
	expect_bytes("a\0b", 3,
		     "{\"x\":\"a\xef\xbf\xbd"
		     "b\",\"x_hex\":\"610062\"}");
	/* a surrogate, an overlong slash, a cut character */
	expect_bytes("\xed\xa0\x80", 3,
		     "{\"x\":\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\",\"x_hex\":\"eda080\"}");
	expect_bytes("\xc0\xaf", 2, "{\"x\":\"\xef\xbf\xbd\xef\xbf\xbd\",\"x_hex\":\"c0af\"}");
	expect_bytes("\xf0\x9f", 2, "{\"x\":\"\xef\xbf\xbd\xef\xbf\xbd\",\"x_hex\":\"f09f\"}");
}

Test(json_write, any_two_bytes_are_read_back)
{
	for (unsigned int i = 0; i < 65536; i++) {
		char bytes[2] = { i >> 8, i & 255 };
		OWNED_TEXT struct text text = { 0 };
		struct json_writer w = { .text = &text };
		json_t *read, *string, *hex;

		json_open(&w, NULL);
		json_bytes(&w, "x", bytes, 2);
		json_close(&w);
		read = json_loads(text.data, 0, NULL);
		cr_assert_not_null(read, "%04x: %s", i, text.data);
		string = json_object_get(read, "x");
		hex = json_object_get(read, "x_hex");
		if (text_is_utf8(bytes, 2)) {
			cr_assert_null(hex);
			cr_assert_eq(json_string_length(string), 2);
			cr_assert_arr_eq(json_string_value(string), bytes, 2);
		} else {
			char digits[5];

			snprintf(digits, sizeof(digits), "%04x", i);
			cr_assert_str_eq(json_string_value(hex), digits);
		}
		json_decref(read);
	}
}

Test(json_write, nesting_and_numbers)
{
	OWNED_TEXT struct text text = { 0 };
	struct json_writer w = { .text = &text };

	json_open(&w, NULL);
	json_open(&w, "a");
	json_u64(&w, "b", UINT64_MAX);
	json_close(&w);
	json_open_array(&w, "c");
	json_text(&w, NULL, "d");
	json_i64(&w, NULL, -5);
	json_close_array(&w);
	json_text(&w, "left out", NULL);
	json_hundredths(&w, "e", -5);
	json_hundredths(&w, "f", 1234);
	json_close(&w);
	cr_assert_str_eq(text.data, "{\"a\":{\"b\":18446744073709551615},\"c\":[\"d\",-5],"
				    "\"e\":-0.05,\"f\":12.34}");
}

Test(json_write, times)
{
	char time[JSON_TIME_SIZE];

	json_format_time(0, time);
	cr_assert_str_eq(time, "1970-01-01T00:00:00.000000000Z");
	json_format_time(UINT64_C(1767323045123456789), time);
	cr_assert_str_eq(time, "2026-01-02T03:04:05.123456789Z");
}
