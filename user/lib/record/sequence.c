/* SPDX-License-Identifier: MPL-2.0 */
/* A bit per number between the lowest that is missing and the highest that came. */
#include <stdbool.h>
#include <string.h>

#include "sequence.h"

static uint64_t *word_of(struct sequence *s, uint64_t number)
{
	return &s->seen[number % SEQUENCE_WINDOW / 64];
}

static uint64_t bit_of(uint64_t number)
{
	return UINT64_C(1) << (number % 64);
}

static bool take(struct sequence *s, uint64_t number)
{
	uint64_t *word = word_of(s, number);
	bool seen = *word & bit_of(number);

	*word &= ~bit_of(number);
	return seen;
}

/* Moves `next` up to `to`; returns how many of the numbers passed had not come. */
static uint64_t move_to(struct sequence *s, uint64_t to)
{
	uint64_t missing = 0;

	for (; s->next < to && s->next < s->end; s->next++)
		if (!take(s, s->next))
			missing++;
	if (s->next < to) {
		missing += to - s->next;
		s->next = to;
	}
	return missing;
}

static void pass_seen(struct sequence *s)
{
	while (s->next < s->end && take(s, s->next))
		s->next++;
}

void sequence_note(struct sequence *s, uint64_t number)
{
	if (number < s->next)
		return;
	*word_of(s, number) |= bit_of(number);
	if (s->end <= number)
		s->end = number + 1;
	pass_seen(s);
}

uint64_t sequence_give_up(struct sequence *s, uint64_t below)
{
	uint64_t missing = move_to(s, below);

	if (s->end < s->next)
		s->end = s->next;
	pass_seen(s);
	return missing;
}

static void forget(struct sequence *s, uint64_t from, uint64_t to)
{
	for (; from < to; from++)
		take(s, from);
}

void sequence_recall(struct sequence *s, uint64_t number)
{
	if (number >= s->end) {
		forget(s, number - s->end < SEQUENCE_WINDOW ? s->end : number - SEQUENCE_WINDOW + 1,
		       number);
		s->end = number + 1;
	}
	if (s->end - number <= SEQUENCE_WINDOW)
		*word_of(s, number) |= bit_of(number);
}

void sequence_resume(struct sequence *s, uint64_t settled)
{
	uint64_t lowest = s->end > SEQUENCE_WINDOW ? s->end - SEQUENCE_WINDOW : 0;

	s->next = settled > lowest ? settled : lowest;
	forget(s, lowest, s->next < s->end ? s->next : s->end);
	if (s->end < s->next)
		s->end = s->next;
	pass_seen(s);
}
