/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Events made by hand, and reports of them, for the tests of the report.
 */
#pragma once

#include <criterion/criterion.h>
#include <string.h>

#include "lib/report/report.h"

#define SECOND UINT64_C(1000000000)
#define TEXT(string) ((struct record_bytes) { (string), strlen(string) })

static inline struct report *new_report(enum report_source source)
{
	const struct report_options options = { .project = "/home/anna/project",
						.home = "/home/anna",
						.exclude = "/opt/agent",
						.source = source };
	struct report *report = NULL;

	cr_assert_eq(report_new(&options, &report), 0);
	return report;
}

/* An allowed operation on a path, by process 100. */
static inline struct log_event file_event(enum grith_op op, const char *path)
{
	return (struct log_event) {
		.kind = LOG_FILE,
		.time = SECOND,
		.op = op,
		.decided = true,
		.path = TEXT(path),
		.rule = TEXT("base.yaml:1"),
		.program = TEXT("/usr/bin/agent"),
		.pid = 100,
		.tid = 100,
		.ppid = 1,
	};
}

static inline void add(struct report *report, struct log_event event)
{
	cr_assert_eq(report_add(report, &event), 0);
}

static inline uint64_t count_of(const struct report *report, enum report_count count)
{
	OWNED_REPORT_RESULT struct report_result result = { 0 };

	cr_assert_eq(report_result_make(report, &result), 0);
	return result.counts[count];
}
