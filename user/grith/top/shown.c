/* SPDX-License-Identifier: MPL-2.0 */
/* A ring, in which the events' own ring makes room. */
#include "shown.h"

int top_shown_add(struct top_shown *shown, uint64_t number)
{
	if (!shown->numbers)
		shown->numbers = calloc(TOP_EVENTS, sizeof(*shown->numbers));
	if (!shown->numbers)
		return -ENOMEM;
	if (shown->next - shown->first == TOP_EVENTS)
		shown->first++;
	shown->numbers[shown->next++ % TOP_EVENTS] = number;
	return 0;
}

void top_shown_trim(struct top_shown *shown, uint64_t number)
{
	while (shown->first < shown->next && shown->numbers[shown->first % TOP_EVENTS] < number)
		shown->first++;
}

size_t top_shown_count(const struct top_shown *shown)
{
	return (size_t)(shown->next - shown->first);
}

uint64_t top_shown_at(const struct top_shown *shown, size_t row)
{
	return shown->numbers[(shown->first + row) % TOP_EVENTS];
}

size_t top_shown_row(const struct top_shown *shown, uint64_t number)
{
	size_t low = 0, high = top_shown_count(shown);

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (top_shown_at(shown, middle) < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void top_shown_clear(struct top_shown *shown)
{
	shown->first = shown->next = 0;
}

void top_shown_free(struct top_shown *shown)
{
	free(shown->numbers);
	*shown = (struct top_shown) { 0 };
}
