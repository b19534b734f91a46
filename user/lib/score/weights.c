/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The weights as they are kept: numbers and lists of each filter, by the filter's own indices.
 */
#include "weights_internal.h"

struct score_weights *score_weights_new(void)
{
	CLEANUP(score_weights_freep) struct score_weights *weights = calloc(1, sizeof(*weights));

	for (unsigned int f = 0; weights && f < N_FILTERS; f++) {
		const struct filter *kind = filter_of(f);

		if (!kind)
			continue;
		/* One more than there are: an empty array is no failure. */
		weights->numbers[f] = calloc(kind->n_numbers + 1, sizeof(*weights->numbers[f]));
		weights->lists[f] = calloc(kind->n_lists + 1, sizeof(*weights->lists[f]));
		if (!weights->numbers[f] || !weights->lists[f])
			return NULL;
	}
	return TAKE_PTR(weights);
}

static void free_list(struct score_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i].text);
	free(list->items);
}

void score_weights_free(struct score_weights *weights)
{
	if (!weights)
		return;
	for (unsigned int f = 0; f < N_FILTERS; f++) {
		const struct filter *kind = filter_of(f);

		for (size_t n = 0; kind && weights->lists[f] && n < kind->n_lists; n++)
			free_list(&weights->lists[f][n]);
		free(weights->lists[f]);
		free(weights->numbers[f]);
	}
	free(weights->patterns);
	hs_free_scratch(weights->scratch);
	hs_free_database(weights->database);
	free(weights);
}

bool score_filter_enabled(const struct score_weights *weights, enum filter_id filter)
{
	/* A rule of the policy is no filter, and cannot be switched off here. */
	return filter == FILTER_RULE || (filter < N_FILTERS && weights->enabled[filter]);
}

int score_number(const struct score_weights *weights, enum filter_id filter, size_t index)
{
	return weights->numbers[filter][index];
}

size_t score_count(const struct score_weights *weights, enum filter_id filter, size_t index)
{
	int number = score_number(weights, filter, index);

	return number > 0 ? (size_t)number / 100 : 0;
}

const struct score_list *score_list(const struct score_weights *weights, enum filter_id filter,
				    size_t index)
{
	return &weights->lists[filter][index];
}

bool score_list_has(const struct score_list *list, const char *word)
{
	for (size_t i = 0; i < list->count; i++)
		if (!strcmp(list->items[i].text, word))
			return true;
	return false;
}
