/* SPDX-License-Identifier: MPL-2.0 */
/* What is lost is counted exactly once, and what is only late is not. */
#include <stdlib.h>

#include <criterion/criterion.h>

#include "lib/record/record.h"

Test(sequence, in_order)
{
	struct sequence s = { 0 };

	for (uint64_t i = 0; i < 5000; i++)
		sequence_note(&s, i);
	cr_assert_eq(s.next, 5000);
	cr_assert_eq(sequence_give_up(&s, 5000), 0);
}

Test(sequence, late_ones_close_the_hole)
{
	struct sequence s = { 0 };

	sequence_note(&s, 0);
	sequence_note(&s, 3);
	cr_assert_eq(s.next, 1);
	sequence_note(&s, 1);
	sequence_note(&s, 2);
	cr_assert_eq(s.next, 4);
	cr_assert_eq(sequence_give_up(&s, 4), 0);
}

Test(sequence, missing_ones_are_given_up_once)
{
	struct sequence s = { 0 };

	sequence_note(&s, 0);
	sequence_note(&s, 5);
	sequence_note(&s, 7);
	cr_assert_eq(sequence_give_up(&s, 8), 5);
	cr_assert_eq(sequence_give_up(&s, 8), 0);
	sequence_note(&s, 2); /* too late to matter */
	sequence_note(&s, 8);
	cr_assert_eq(s.next, 9);
}

Test(sequence, twice_is_once)
{
	struct sequence s = { 0 };

	sequence_note(&s, 0);
	sequence_note(&s, 0);
	sequence_note(&s, 2);
	sequence_note(&s, 2);
	cr_assert_eq(sequence_give_up(&s, 3), 1);
}

Test(sequence, a_leap)
{
	struct sequence s = { 0 };

	cr_assert_eq(sequence_give_up(&s, sequence_floor(1000000)), 1000000 - SEQUENCE_WINDOW + 1);
	sequence_note(&s, 1000000);
	cr_assert_eq(sequence_give_up(&s, 1000001), SEQUENCE_WINDOW - 1);
	sequence_note(&s, 1000001);
	cr_assert_eq(s.next, 1000002);
}

/* Below a number, and beyond all that came: what came above it is not lost. */
Test(sequence, up_to_a_number)
{
	struct sequence s = { 0 };

	sequence_note(&s, 0);
	sequence_note(&s, 3);
	sequence_note(&s, 6);
	cr_assert_eq(sequence_give_up(&s, 3), 2);
	cr_assert_eq(s.next, 4);
	cr_assert_eq(sequence_give_up(&s, 10), 5);
	cr_assert_eq(s.next, 10);
	sequence_note(&s, 10);
	cr_assert_eq(s.next, 11);
}

static uint64_t note(struct sequence *s, uint64_t number)
{
	uint64_t lost = sequence_give_up(s, sequence_floor(number));

	sequence_note(s, number);
	return lost;
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

			lost += note(&s, near[pick]);
			near[pick] = i;
		} else {
			near[held++] = i;
		}
	}
	while (held)
		lost += note(&s, near[--held]);
	lost += sequence_give_up(&s, s.end);
	cr_assert_eq(lost, missing);
}

/* The numbers of a log that is read from its end. */
Test(sequence, goes_on_where_it_was)
{
	struct sequence s = { 0 };

	for (uint64_t i = 40000; i-- > 0;)
		if (i % 1000 != 7)
			sequence_recall(&s, i ^ 1); /* neighbours in the other order */
	sequence_resume(&s, 30000);
	cr_assert_eq(s.end, 40000);
	cr_assert_eq(s.next, 30006);
	sequence_note(&s, 40000);
	cr_assert_eq(sequence_give_up(&s, 40001), 10);
	cr_assert_eq(s.next, 40001);
	for (size_t i = 0; i < sizeof(s.seen) / sizeof(*s.seen); i++)
		cr_assert_eq(s.seen[i], 0);
}

Test(sequence, what_was_counted_is_not_counted_again)
{
	struct sequence s = { 0 };

	sequence_recall(&s, 9);
	sequence_recall(&s, 3);
	sequence_recall(&s, 100000);
	sequence_recall(&s, 9);
	sequence_resume(&s, 100005); /* more than came was lost */
	cr_assert_eq(s.next, 100005);
	sequence_note(&s, 100005);
	cr_assert_eq(sequence_give_up(&s, 100006), 0);
	s = (struct sequence) { 0 };
	sequence_recall(&s, 100000);
	sequence_resume(&s, 0); /* what is out of the window is not counted */
	cr_assert_eq(sequence_give_up(&s, 100001), SEQUENCE_WINDOW - 1);
}
