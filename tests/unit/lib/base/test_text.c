/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Numbers, growing strings, and what is escaped.
 */
#include <criterion/criterion.h>

#include "lib/base/base.h"

Test(text, parse_u64_takes_digits_only)
{
	static const struct {
		const char *text;
		uint64_t max;
		int r;
		uint64_t value;
	} cases[] = {
		{ "0", 0, 0, 0 },
		{ "00012", 12, 0, 12 },
		{ "18446744073709551615", UINT64_MAX, 0, UINT64_MAX },
		{ "18446744073709551616", UINT64_MAX, -ERANGE, 0 },
		{ "99999999999999999999999999", UINT64_MAX, -ERANGE, 0 },
		{ "13", 12, -ERANGE, 0 },
		{ "", 9, -EINVAL, 0 },
		{ " 1", 9, -EINVAL, 0 },
		{ "1 ", 9, -EINVAL, 0 },
		{ "+1", 9, -EINVAL, 0 },
		{ "-1", 9, -EINVAL, 0 },
		{ "0x1", 99, -EINVAL, 0 },
		{ "1e1", 99, -EINVAL, 0 },
		{ "99999999999999999999999999x", UINT64_MAX, -EINVAL, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint64_t value = 77;
		int r = text_parse_u64(cases[i].text, cases[i].max, &value);

		cr_expect_eq(r, cases[i].r, "\"%s\"", cases[i].text);
		cr_expect_eq(value, r < 0 ? 77 : cases[i].value, "\"%s\"", cases[i].text);
	}
}

Test(text, parse_hundredths_is_exact)
{
	static const struct {
		const char *text;
		unsigned int max;
		int r, value;
	} cases[] = {
		{ "0", 0, 0, 0 },
		{ "-0", 0, 0, 0 },
		{ "3", 3, 0, 300 },
		{ "3.5", 9, 0, 350 },
		{ "3.05", 9, 0, 305 },
		/* what a double makes one less of */
		{ "5.10", 9, 0, 510 },
		{ "-1.15", 9, 0, -115 },
		{ "-0.25", 9, 0, -25 },
		{ "007", 7, 0, 700 },
		{ "999999.99", 1000000, 0, 99999999 },
		{ "3.01", 3, -ERANGE, 0 },
		{ "-4", 3, -ERANGE, 0 },
		{ "99999999999", 3, -ERANGE, 0 },
		{ "", 9, -EINVAL, 0 },
		{ "-", 9, -EINVAL, 0 },
		{ ".", 9, -EINVAL, 0 },
		{ ".5", 9, -EINVAL, 0 },
		{ "-.5", 9, -EINVAL, 0 },
		{ "5.", 9, -EINVAL, 0 },
		{ "1.234", 9, -EINVAL, 0 },
		{ "1.2.3", 9, -EINVAL, 0 },
		{ "1.-2", 9, -EINVAL, 0 },
		{ "+1", 9, -EINVAL, 0 },
		{ "--1", 9, -EINVAL, 0 },
		{ " 1", 9, -EINVAL, 0 },
		{ "1e1", 99, -EINVAL, 0 },
		{ "0000000000000001", 9, -EINVAL, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		int value = 77;
		int r = text_parse_hundredths(cases[i].text, cases[i].max, &value);

		cr_expect_eq(r, cases[i].r, "\"%s\"", cases[i].text);
		cr_expect_eq(value, r < 0 ? 77 : cases[i].value, "\"%s\"", cases[i].text);
	}
}

Test(text, grows)
{
	OWNED_TEXT struct text t = { 0 };

	for (int i = 0; i < 1000; i++)
		cr_assert_eq(text_addf(&t, "%d,", i), 0);
	cr_expect_eq(strlen(t.data), t.length);
	cr_expect_eq(t.length, 3890u);
	cr_expect_str_eq(t.data + t.length - 8, "998,999,");
	cr_assert_eq(text_add(&t, "\0x", 2), 0);
	cr_expect_eq(t.length, 3892u);
}

Test(text, huge_lengths_are_refused)
{
	OWNED_TEXT struct text t = { 0 };

	cr_assert_eq(text_add(&t, "abc", 3), 0);
	cr_expect_eq(text_add(&t, "x", SIZE_MAX), -ENOMEM);
	cr_expect_eq(text_add(&t, "x", SIZE_MAX - 3), -ENOMEM);
	cr_expect_str_eq(t.data, "abc");
}

static void expect_escaped(const char *bytes, size_t length, const char *expected)
{
	OWNED_TEXT struct text t = { 0 };

	cr_assert_eq(text_add_escaped(&t, bytes, length), 0);
	cr_expect_str_eq(t.data, expected);
}

Test(text, escapes_what_could_do_harm)
{
	expect_escaped("", 0, "");
	expect_escaped("plain ~ text", 12, "plain ~ text");
	expect_escaped("gr\xc3\xbcn \xe2\x82\xac \xf0\x9f\x98\x80", 14,
		       "gr\xc3\xbcn \xe2\x82\xac \xf0\x9f\x98\x80");
	expect_escaped("a\\b", 3, "a\\\\b");
	expect_escaped("a\nb\tc\rd", 7, "a\\nb\\tc\\rd");
	expect_escaped("\x1b[2J", 4, "\\e[2J");
	expect_escaped("\0\x01\x7f", 3, "\\x00\\x01\\x7f");
	expect_escaped("\xc2\x9b", 2, "\\xc2\\x9b"); /* CSI as one character */
	expect_escaped("\xff\xfe", 2, "\\xff\\xfe");
	expect_escaped("\xe2\x80\xae", 3, "\\xe2\\x80\\xae"); /* right to left */
	expect_escaped("\xe2\x81\xa6", 3, "\\xe2\\x81\\xa6");
	expect_escaped("\xd8\x9c", 2, "\\xd8\\x9c");
	expect_escaped("\xe2\x80\x8b", 3, "\\xe2\\x80\\x8b"); /* no width */
	expect_escaped("\xc3", 1, "\\xc3"); /* cut short */
	expect_escaped("\xc0\xaf", 2, "\\xc0\\xaf"); /* overlong */
	expect_escaped("\xed\xa0\x80", 3, "\\xed\\xa0\\x80"); /* surrogate */
	expect_escaped("\xf4\x90\x80\x80", 4, "\\xf4\\x90\\x80\\x80"); /* beyond Unicode */
}

Test(text, knows_utf8)
{
	cr_expect(text_is_utf8("", 0));
	cr_expect(text_is_utf8("abc", 3));
	cr_expect(text_is_utf8("\xf4\x8f\xbf\xbf", 4));
	cr_expect_not(text_is_utf8("a\0b", 3));
	cr_expect_not(text_is_utf8("\x80", 1));
	cr_expect_not(text_is_utf8("\xc1\xbf", 2));
	cr_expect_not(text_is_utf8("\xe0\x9f\xbf", 3));
	cr_expect_not(text_is_utf8("\xed\xbf\xbf", 3));
	cr_expect_not(text_is_utf8("\xf5\x80\x80\x80", 4));
	cr_expect_not(text_is_utf8("ab\xe2\x82", 4));
}

/* Of our own text with others' in it: what is ours stays. */
Test(text, harmless)
{
	OWNED_TEXT struct text text = { 0 };
	static const char bytes[] = "grith: \\e[2J\x1b[2J\tx\xe2\x80\xae\xff\xe7\x95\x8c\r\n";

	cr_assert_eq(text_add_harmless(&text, bytes, sizeof(bytes) - 1), 0);
	cr_expect_str_eq(text.data, "grith: \\e[2J\\e[2J\tx\\xe2\\x80\\xae\\xff\xe7\x95\x8c\\r\n");
}
