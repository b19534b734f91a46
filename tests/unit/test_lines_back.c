/* SPDX-License-Identifier: MPL-2.0 */
/* The lines of a file in reverse, whatever the chunks cut. */
#include <string.h>
#include <sys/mman.h>

#include <criterion/criterion.h>

#include "lines_back.h"
#include "text.h"

static int file_of(const char *bytes, size_t length)
{
	int fd = memfd_create("lines", MFD_CLOEXEC);

	cr_assert_geq(fd, 0);
	cr_assert_eq(write(fd, bytes, length), (ssize_t)length);
	return fd;
}

/* The lines, each with '|' behind it, and their places. */
static void reverse(const char *bytes, size_t length, size_t max, struct text *out)
{
	OWNED_LINES_BACK struct lines_back lines = { .offset = length };
	OWNED_FD int fd = file_of(bytes, length);
	const char *line;
	size_t n;
	off_t at;

	cr_assert_eq(text_add(out, "", 0), 0);
	while (lines_back_read(&lines, fd, max) == 1)
		while (lines_back_next(&lines, &line, &n, &at)) {
			cr_assert_arr_eq(line, bytes + at, n);
			cr_assert_eq(text_add(out, line, n), 0);
			cr_assert_eq(text_add(out, "|", 1), 0);
		}
}

static void expect(const char *bytes, const char *wanted)
{
	OWNED_TEXT struct text out = { 0 };

	reverse(bytes, strlen(bytes), 1u << 20, &out);
	cr_assert_str_eq(out.data, wanted);
}

Test(lines_back, small)
{
	expect("", "");
	expect("a\n", "a|");
	expect("a\nbb\n\nccc\n", "ccc||bb|a|");
	expect("\n", "|");
}

Test(lines_back, a_line_without_an_end_is_left_out)
{
	expect("a", "");
	expect("a\nb", "a|");
}

Test(lines_back, many_chunks)
{
	OWNED_TEXT struct text in = { 0 }, out = { 0 }, wanted = { 0 };
	enum { COUNT = 30000 };

	for (int i = 0; i < COUNT; i++)
		cr_assert_eq(text_addf(&in, "line %d %.*s\n", i, i % 50,
				       "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
			     0);
	for (int i = COUNT; i-- > 0;)
		cr_assert_eq(text_addf(&wanted, "line %d %.*s|", i, i % 50,
				       "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
			     0);
	reverse(in.data, in.length, 1u << 20, &out);
	cr_assert_str_eq(out.data, wanted.data);
}

Test(lines_back, a_line_longer_than_a_chunk)
{
	enum { LONG = 300000 };
	char *bytes = malloc(LONG + 6);
	OWNED_TEXT struct text out = { 0 };

	memset(bytes, 'x', LONG + 6);
	memcpy(bytes, "a\n", 2);
	memcpy(bytes + LONG + 2, "\nb\n", 4);
	reverse(bytes, LONG + 5, 1u << 20, &out);
	cr_assert_eq(out.length, LONG + 5);
	cr_assert_arr_eq(out.data, "b|xxx", 5);
	cr_assert_arr_eq(out.data + LONG, "xx|a|", 5);
	free(bytes);
}
