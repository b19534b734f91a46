/* SPDX-License-Identifier: MPL-2.0 */
/* Reads the clocks. */
#include <time.h>

#include "clock.h"

static uint64_t read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

uint64_t clock_mono(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

uint64_t clock_real(void)
{
	return read_clock(CLOCK_REALTIME);
}

struct event_head event_now(const char *session)
{
	return (struct event_head) { clock_real(), clock_mono(), session };
}
