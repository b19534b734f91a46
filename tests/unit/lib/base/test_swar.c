/* SPDX-License-Identifier: MPL-2.0 */
/* Looking eight bytes at a time finds what looking at each finds, at every place and length. */
#include <criterion/criterion.h>

#include "lib/base/base.h"

#define LENGTH 40

static uint64_t stops(uint64_t word)
{
	return swar_unseen(word) | swar_equal(word, '\\');
}

static bool stops_at(unsigned char c)
{
	return c < 0x20 || c >= 0x7f || c == '\\';
}

/* Each byte at each place, between others that are next to the borders of what is looked for. */
Test(swar, run_ends_at_the_first_such_byte)
{
	static const char around[] = { ' ', '~', '[', ']', '!' };

	for (int byte = 0; byte < 256; byte++)
		for (size_t at = 0; at < LENGTH; at++)
			for (size_t length = at + 1; length <= LENGTH; length++) {
				char *text = malloc(length); /* so that reading beyond it is seen */

				for (size_t i = 0; i < length; i++)
					text[i] = around[(i + at) % sizeof(around)];
				text[at] = (char)byte;
				cr_assert_eq(swar_run(text, length, stops),
					     stops_at(byte) ? at : length, "%d at %zu of %zu", byte,
					     at, length);
				free(text);
			}
}

Test(swar, several_in_one_word)
{
	static const char text[] = "ab\\\x1f\\\x80\x7f\x01 and more of it";

	cr_assert_eq(swar_run(text, sizeof(text) - 1, stops), 2);
	cr_assert_eq(swar_run(text + 3, sizeof(text) - 4, stops), 0);
	cr_assert_eq(swar_run(text + 8, sizeof(text) - 9, stops), sizeof(text) - 9);
	cr_assert_eq(swar_run(NULL, 0, stops), 0);
}
