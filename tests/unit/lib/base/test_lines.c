/* SPDX-License-Identifier: MPL-2.0 */
/* Lines come out as they went in, however the bytes arrive. */
#include <fcntl.h>

#include <criterion/criterion.h>

#include "lib/base/base.h"

static void put(int fd, const char *bytes, size_t length)
{
	cr_assert_eq(write(fd, bytes, length), (ssize_t)length);
}

Test(lines, byte_by_byte)
{
	static const char input[] = "one\n\ntwo\0x\nrest";
	static const char *const wanted[] = { "one", "", "two\0x" };
	static const size_t lengths[] = { 3, 0, 5 };
	OWNED_LINES struct lines lines = { 0 };
	size_t length, n = 0;
	char *line;
	int ends[2];

	cr_assert_eq(pipe(ends), 0);
	for (size_t i = 0; i < sizeof(input) - 1; i++) {
		put(ends[1], input + i, 1);
		cr_assert_eq(lines_read(&lines, ends[0], 100), 1);
		while (lines_next(&lines, &line, &length)) {
			cr_assert_eq(length, lengths[n]);
			cr_assert_arr_eq(line, wanted[n], length + 1); /* and a NUL */
			n++;
		}
	}
	cr_assert_eq(n, 3);
	cr_assert_eq(lines_held(&lines), 4);
	close(ends[1]);
	cr_assert_eq(lines_read(&lines, ends[0], 100), 0);
	close(ends[0]);
}

Test(lines, all_at_once)
{
	OWNED_LINES struct lines lines = { 0 };
	char input[4000], *line;
	size_t length, n = 0;
	int ends[2];

	for (size_t i = 0; i < sizeof(input); i++)
		input[i] = i % 4 == 3 ? '\n' : 'x';
	cr_assert_eq(pipe2(ends, O_NONBLOCK), 0);
	put(ends[1], input, sizeof(input));
	cr_assert_eq(lines_read(&lines, ends[0], 100), 4000);
	while (lines_next(&lines, &line, &length)) {
		cr_assert_str_eq(line, "xxx");
		n++;
	}
	cr_assert_eq(n, 1000);
	cr_assert_eq(lines_read(&lines, ends[0], 100), -EAGAIN);
}

Test(lines, a_line_may_be_long_but_not_endless)
{
	OWNED_LINES struct lines lines = { 0 };
	char part[8192], *line;
	size_t length;
	int ends[2], r = 0;

	memset(part, 'x', sizeof(part));
	cr_assert_eq(pipe(ends), 0);
	for (int i = 0; i < 30; i++) {
		put(ends[1], part, sizeof(part));
		r = lines_read(&lines, ends[0], 100000);
		if (r < 0)
			break;
	}
	cr_assert_eq(r, -EMSGSIZE);
	cr_assert_gt(lines_held(&lines), 100000);
	cr_assert_not(lines_next(&lines, &line, &length));
}
