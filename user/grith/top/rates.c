/* SPDX-License-Identifier: MPL-2.0 */
/* A ring of counters, one a second. */
#include <string.h>

#include "rates.h"

void top_rates_add(struct top_rates *rates, int64_t second)
{
	/* Far behind: the clock was set back. */
	if (second <= rates->newest - TOP_SECONDS || second >= rates->newest + TOP_SECONDS) {
		memset(rates->counts, 0, sizeof(rates->counts));
		rates->newest = second;
	}
	while (rates->newest < second)
		rates->counts[++rates->newest % TOP_SECONDS] = 0;
	if (rates->counts[second % TOP_SECONDS] < UINT32_MAX)
		rates->counts[second % TOP_SECONDS]++;
}

uint32_t top_rates_at(const struct top_rates *rates, int64_t second)
{
	if (second < 0 || second > rates->newest || second <= rates->newest - TOP_SECONDS)
		return 0;
	return rates->counts[second % TOP_SECONDS];
}

uint32_t top_rates_tenths(const struct top_rates *rates, int64_t now)
{
	uint64_t sum = 0;

	for (int64_t i = 1; i <= TOP_RATE_SECONDS; i++)
		sum += top_rates_at(rates, now - i);
	return (uint32_t)(sum * 10 / TOP_RATE_SECONDS);
}
