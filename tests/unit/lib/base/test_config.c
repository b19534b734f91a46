/* SPDX-License-Identifier: MPL-2.0 */
/* Files of `key = value` lines, right ones and wrong ones. */

#include <criterion/criterion.h>

#include "lib/base/base.h"

/* Writes down what it is told, and knows no key "bad". */
static const char *set(void *arg, const char *key, const char *value)
{
	if (!strcmp(key, "bad"))
		return "unknown key";
	cr_assert_eq(text_addf(arg, "[%s|%s]", key, value), 0);
	return NULL;
}

static void expect(const char *text, int wanted, const char *told, const char *complaints)
{
	OWNED_TEXT struct text got = { 0 };
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_MEM char *said = NULL;

	cr_assert_eq(config_parse("f.conf", text, strlen(text), set, &got, &diag), wanted);
	cr_assert_str_eq(got.data ? got.data : "", told);
	said = diag_text(&diag);
	cr_assert_str_eq(said ? said : "", complaints);
}

Test(config, lines)
{
	expect("", 0, "", "");
	expect("a = b\n", 0, "[a|b]", "");
	expect("# a comment\n\n  socket=/x y \r\n\tb\t=\tc = d", 0, "[socket|/x y][b|c = d]", "");
}

Test(config, every_wrong_line_is_named)
{
	expect("a\nb = c\n= d\ne =\nbad = 1\n", -EINVAL, "[b|c]",
	       "f.conf:1: expected: key = value\nf.conf:3: expected: key = value\n"
	       "f.conf:4: expected: key = value\nf.conf:5: unknown key\n");
}

Test(config, a_nul_is_not_text)
{
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_TEXT struct text got = { 0 };

	cr_assert_eq(config_parse("f", "a = b\n\0c = d\n", 13, set, &got, &diag), -EINVAL);
	cr_assert_eq(diag.count, 1);
	cr_assert_eq(got.length, 0);
}

Test(config, a_file_that_is_not_there)
{
	OWNED_DIAG struct diag diag = { 0 };

	cr_assert_eq(config_read("/nonexistent/x", set, NULL, &diag), -ENOENT);
	cr_assert_eq(diag.count, 0);
}
