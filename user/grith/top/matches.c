/* SPDX-License-Identifier: MPL-2.0 */
/* A ring, in which the events' own ring makes room. */
#include "matches.h"

int top_matches_add(struct top_matches *matches, uint64_t number)
{
	if (!matches->numbers)
		matches->numbers = calloc(TOP_EVENTS, sizeof(*matches->numbers));
	if (!matches->numbers)
		return -ENOMEM;
	if (matches->next - matches->first == TOP_EVENTS)
		matches->first++;
	matches->numbers[matches->next++ % TOP_EVENTS] = number;
	return 0;
}

void top_matches_trim(struct top_matches *matches, uint64_t number)
{
	while (matches->first < matches->next &&
	       matches->numbers[matches->first % TOP_EVENTS] < number)
		matches->first++;
}

size_t top_matches_count(const struct top_matches *matches)
{
	return (size_t)(matches->next - matches->first);
}

uint64_t top_matches_at(const struct top_matches *matches, size_t row)
{
	return matches->numbers[(matches->first + row) % TOP_EVENTS];
}

size_t top_matches_row(const struct top_matches *matches, uint64_t number)
{
	size_t low = 0, high = top_matches_count(matches);

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (top_matches_at(matches, middle) < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void top_matches_clear(struct top_matches *matches)
{
	matches->first = matches->next = 0;
}

void top_matches_free(struct top_matches *matches)
{
	free(matches->numbers);
	*matches = (struct top_matches) { 0 };
}
