/* SPDX-License-Identifier: MPL-2.0 */
/* One array from the three tables. */
#include <string.h>

#include "counters.h"

#define LOST(name, number, word)                              \
	[GRITH_COUNT_LOST +                                   \
		(number)] = { "lost_" word, SEVERITY_PROBLEM, \
			      "records that found no room; the log has a gap entry there" },
#define COUNTED(name, word, severity, meaning) [name] = { word, SEVERITY_##severity, meaning },
#define COUNTED_IN_KERNEL(name, number, ...) COUNTED(name, __VA_ARGS__)

static const struct counter counters[COUNTERS] = { GRITH_KIND_TABLE(LOST) GRITH_COUNTER_TABLE(
	COUNTED_IN_KERNEL) COUNTER_TABLE(COUNTED) };

const struct counter *counter_of(unsigned int counter)
{
	return &counters[counter];
}

const struct counter *counter_find(const char *name)
{
	for (unsigned int i = 0; i < COUNTERS; i++)
		if (!strcmp(counters[i].name, name))
			return &counters[i];
	return NULL;
}
