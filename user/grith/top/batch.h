/* SPDX-License-Identifier: MPL-2.0 */
/* `grith top -b`: looks, one after the other, for a file, a pipe or a program. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct top_batch {
	const char *socket;
	const char *filter; /* NULL: none */
	uint64_t looks; /* 0: until nobody reads them any more */
	int64_t delay; /* ms before each */
	bool json;
};

/* An exit status; says what failed. */
int top_batch_run(const struct top_batch *batch);
