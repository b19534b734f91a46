/* SPDX-License-Identifier: MPL-2.0 */
/* What is lost is counted exactly once, and what is only late is not. */
#include <stdlib.h>

#include <criterion/criterion.h>

#include "lib/record/record.h"

Test(sequence, in_order)
{
	struct sequence s = { 0 };

	for (uint64_t i = 0; i < 5000; i++)
		cr_assert_eq(sequence_note(&s, i), 0);
	cr_assert_not(sequence_has_hole(&s));
	cr_assert_eq(sequence_give_up(&s), 0);
}

Test(sequence, late_ones_close_the_hole)
{
	struct sequence s = { 0 };

	sequence_note(&s, 0);
	sequence_note(&s, 3);
	cr_assert(sequence_has_hole(&s));
	sequence_note(&s, 1);
	sequence_note(&s, 2);
	cr_assert_not(sequence_has_hole(&s));
	cr_assert_eq(sequence_give_up(&s), 0);
}

Test(sequence, missing_ones_are_given_up_once)
{
	struct sequence s = { 0 };

	sequence_note(&s, 0);
	sequence_note(&s, 5);
	sequence_note(&s, 7);
	cr_assert_eq(sequence_give_up(&s), 5);
	cr_assert_eq(sequence_give_up(&s), 0);
	cr_assert_eq(sequence_note(&s, 2), 0); /* too late to matter */
	cr_assert_eq(sequence_note(&s, 8), 0);
	cr_assert_not(sequence_has_hole(&s));
}

Test(sequence, twice_is_once)
{
	struct sequence s = { 0 };

	sequence_note(&s, 0);
	sequence_note(&s, 0);
	sequence_note(&s, 2);
	sequence_note(&s, 2);
	cr_assert_eq(sequence_give_up(&s), 1);
}

Test(sequence, a_leap)
{
	struct sequence s = { 0 };

	cr_assert_eq(sequence_note(&s, 1000000), 1000000 - SEQUENCE_WINDOW + 1);
	cr_assert_eq(sequence_give_up(&s), SEQUENCE_WINDOW - 1);
	cr_assert_eq(sequence_note(&s, UINT64_MAX), 0);
	cr_assert_eq(sequence_note(&s, 1000001), 0);
	cr_assert_not(sequence_has_hole(&s));
}

/* Any order, none of them later than the window allows, some left out: those are the sum. */
Test(sequence, shuffled)
{
	enum { COUNT = 200000, NEAR = 64 };
	struct sequence s = { 0 };
	uint64_t lost = 0, missing = 0, near[NEAR];
	int held = 0;

	srandom(7);
	for (uint64_t i = 0; i < COUNT; i++) {
		if (random() % 100 == 0 && i != COUNT - 1) {
			missing++;
			continue;
		}
		if (held == NEAR) {
			int pick = random() % NEAR;

			lost += sequence_note(&s, near[pick]);
			near[pick] = i;
		} else {
			near[held++] = i;
		}
	}
	while (held)
		lost += sequence_note(&s, near[--held]);
	lost += sequence_give_up(&s);
	cr_assert_eq(lost, missing);
}
