/* SPDX-License-Identifier: MPL-2.0 */
/*
 * kernel-tests [PART]...: run as root from the top of the sources, on a kernel that can enforce.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "stage.h"
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

static const struct part {
	const char *name;
	void (*test)(struct tally *tally);
} parts[] = {
	{ "load", test_load },		 { "parity", test_parity },   { "hold", test_hold },
	{ "meanwhile", test_meanwhile }, { "request", test_request }, { "judged", test_judged },
	{ "send", test_send },		 { "full", test_full },	      { "child", test_child },
};

static unsigned int run(const struct part *part)
{
	struct tally tally = { 0 };

	part->test(&tally);
	printf("kernel %s: %u passed, %u failed\n", part->name, tally.passed, tally.failed);
	fflush(stdout);
	return tally.failed + !tally.passed;
}

static bool is_wanted(const char *name, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], name))
			return true;
	return argc < 2;
}

int main(int argc, char **argv)
{
	unsigned int failed = 0, ran = 0;

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (is_wanted(parts[i].name, argc, argv)) {
			failed += run(&parts[i]);
			ran++;
		}
	stage_unload();
	return failed || !ran;
}
