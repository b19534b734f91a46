/* SPDX-License-Identifier: MPL-2.0 */
/*
 * kernel-tests: run as root from the top of the sources, on a kernel that can enforce.
 */
#include <stdarg.h>
#include <stdio.h>

#include "tests.h"

bool check(struct tally *tally, bool ok, const char *format, ...)
{
	va_list args;

	if (ok) {
		tally->passed++;
		return true;
	}
	tally->failed++;
	fputs("FAILED: ", stdout);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	return false;
}

static unsigned int run(const char *name, void (*test)(struct tally *tally))
{
	struct tally tally = { 0 };

	test(&tally);
	printf("kernel %s: %u passed, %u failed\n", name, tally.passed, tally.failed);
	fflush(stdout);
	return tally.failed + !tally.passed;
}

int main(void)
{
	unsigned int failed =
		run("load", test_load) + run("parity", test_parity) + run("hold", test_hold);

	return failed ? 1 : 0;
}
