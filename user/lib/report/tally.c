/* SPDX-License-Identifier: MPL-2.0 */
/* Keys are interned; the entries are an array beside them. */
#include "tally.h"

_Static_assert(sizeof(struct tally_key) == 16, "no padding");

int tally_at(struct tally *tally, const struct tally_key *key, uint64_t time,
	     struct tally_entry **ret_entry, uint32_t *ret_number)
{
	uint32_t count = tally->keys.count, number;
	int r;

	tally->keys.size = sizeof(*key);
	tally->keys.max = TALLY_MAX;
	if (count == tally->size) {
		r = ARRAY_GROW(tally->entries, count);
		if (r < 0)
			return r;
		tally->size = count ? count * 2 : 1;
	}
	r = intern(&tally->keys, key, &number);
	if (r < 0 && r != -E2BIG)
		return r;
	if (r == -E2BIG) {
		tally->beyond++;
		number = UINT32_MAX;
		*ret_entry = &tally->spare;
	} else {
		if (number == count)
			tally->entries[number] = (struct tally_entry) { .first = time };
		*ret_entry = &tally->entries[number];
	}
	if (ret_number)
		*ret_number = number;
	return 0;
}

void tally_free(struct tally *tally)
{
	intern_clear(&tally->keys);
	free(tally->entries);
}
