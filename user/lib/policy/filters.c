/* SPDX-License-Identifier: MPL-2.0 */
/* The words of the filters, and what the file of weights may have of each. */
#include <stddef.h>

#include "filters.h"

#define FILTER_ROW(id, symbol, word, has) [FILTER_##id] = { word, has },
static const struct {
	const char *word;
	unsigned int has;
} rows[N_FILTERS] = { [FILTER_RULE] = { "rule", 0 }, FILTER_LIST(FILTER_ROW) };

const char *filter_name(unsigned int filter)
{
	return filter < N_FILTERS ? rows[filter].word : NULL;
}

unsigned int filter_has(enum filter_id filter)
{
	return rows[filter].has;
}
