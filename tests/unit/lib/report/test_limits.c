/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The report's memory has bounds; beyond them things are counted, and it is said.
 */
#include "lib/report/internal.h"
#include "test_report_events.h"

Test(report_limits, names_beyond_are_one)
{
	struct report_names names;
	uint32_t number, first;
	char text[16];

	cr_assert_eq(report_names_init(&names, 100, 1 << 20), 0);
	cr_assert_eq(report_names_add(&names, TEXT("0"), &first), 0);
	for (int i = 0; i < 200; i++) {
		snprintf(text, sizeof(text), "%d", i);
		cr_assert_eq(report_names_add(&names, TEXT(text), &number), 0);
		cr_expect_eq(number == REPORT_NAME_BEYOND, i >= 98, "%d", i);
	}
	cr_expect_eq(names.beyond, 102);
	cr_assert_eq(report_names_add(&names, TEXT("0"), &number), 0);
	cr_expect_eq(number, first, "what is there is found");
	report_names_free(&names);
}

Test(report_limits, bytes_of_names)
{
	struct report_names names;
	uint32_t number;

	cr_assert_eq(report_names_init(&names, 100, 50), 0);
	cr_assert_eq(report_names_add(&names, TEXT("0123456789"), &number), 0);
	cr_expect_neq(number, REPORT_NAME_BEYOND);
	cr_assert_eq(report_names_add(&names, TEXT("abcdefghijabcdefghij"), &number), 0);
	cr_expect_eq(number, REPORT_NAME_BEYOND);
	report_names_free(&names);
}

Test(report_limits, names_are_bytes)
{
	struct report_names names;
	uint32_t a, b, empty;

	cr_assert_eq(report_names_init(&names, 100, 1000), 0);
	cr_assert_eq(report_names_add(&names, (struct record_bytes) { "a\0b", 3 }, &a), 0);
	cr_assert_eq(report_names_add(&names, (struct record_bytes) { "a\0c", 3 }, &b), 0);
	cr_assert_eq(report_names_add(&names, (struct record_bytes) { NULL, 0 }, &empty), 0);
	cr_expect_neq(a, b);
	cr_expect_eq(empty, REPORT_NAME_NONE);
	report_names_free(&names);
}

Test(report_limits, rows_of_a_table)
{
	struct tally tally = { 0 };
	struct tally_entry *entry;
	uint32_t number = 0;

	for (uint32_t i = 0; i < TALLY_MAX + 10; i++) {
		cr_assert_eq(tally_at(&tally, &(struct tally_key) { .a = i }, 1, &entry, &number),
			     0);
		entry->n[0]++;
	}
	cr_expect_eq(number, UINT32_MAX);
	cr_expect_eq(tally.beyond, 10);
	cr_expect_eq(tally.spare.n[0], 10);
	cr_expect_eq(tally.entries[TALLY_MAX - 1].n[0], 1);
	tally_free(&tally);
}

/* What is left out of a table's rows is said, and the counts are still right. */
Test(report_limits, result_is_cut_and_says_so)
{
	CLEANUP(report_freep) struct report *report = new_report(REPORT_RECORDS);
	OWNED_REPORT_RESULT struct report_result result = { 0 };
	const struct report_table *files = &result.tables[REPORT_TABLE_FILES];
	char path[64];

	for (unsigned int i = 0; i < REPORT_ROWS_MAX + 5; i++) {
		snprintf(path, sizeof(path), "/home/anna/project/%u/%u", i % 300, i);
		add(report, file_event(GRITH_OP_READ, path));
	}
	cr_assert_eq(report_result_make(report, &result), 0);
	cr_expect_eq(files->n_rows, REPORT_ROWS_MAX);
	cr_expect_eq(files->total, REPORT_ROWS_MAX + 5);
	cr_expect_eq(result.counts[REPORT_FILES_READ], REPORT_ROWS_MAX + 5);
}

/* Programs that start each other for ever, and more processes than numbers. */
Test(report_limits, deep_trees)
{
	CLEANUP(report_freep) struct report *report = new_report(REPORT_RECORDS);
	OWNED_REPORT_RESULT struct report_result result = { 0 };
	const struct report_table *tree = &result.tables[REPORT_TABLE_TREE];
	struct log_event event = file_event(GRITH_OP_EXEC, "");
	char path[32];

	event.kind = LOG_EXEC;
	for (uint32_t i = 0; i < 200; i++) {
		snprintf(path, sizeof(path), "/bin/%u", i);
		event.path = event.program = TEXT(path);
		event.pid = event.tid = 1000 + i;
		event.ppid = 999 + i;
		add(report, event);
	}
	cr_assert_eq(report_result_make(report, &result), 0);
	cr_expect_eq(tree->n_rows, 200);
	for (size_t row = 0; row < tree->n_rows; row++)
		cr_expect_lt(report_cell(tree, row, 0)->number, REPORT_TREE_DEPTH);
}

/* Spans become wider, and nothing is lost; nor when the clock is set back. */
Test(report_limits, timeline_keeps_everything)
{
	CLEANUP(report_freep) struct report *report = new_report(REPORT_RECORDS);
	OWNED_REPORT_RESULT struct report_result result = { 0 };
	const struct report_table *timeline = &result.tables[REPORT_TABLE_TIMELINE];
	struct log_event event = file_event(GRITH_OP_READ, "/etc/hosts");
	uint64_t sum = 0;

	for (uint64_t i = 0; i < 1000; i++) {
		event.time = SECOND * 1000000 + i * i * SECOND;
		add(report, event);
	}
	event.time = SECOND;
	add(report, event);
	cr_assert_eq(report_result_make(report, &result), 0);
	cr_assert_leq(timeline->n_rows, 256);
	for (size_t row = 0; row < timeline->n_rows; row++)
		sum += report_cell(timeline, row, report_column(timeline, "files"))->number;
	cr_expect_eq(sum, 1001);
}

/* Each file is in one place, and the project's are not mixed with others. */
Test(report_limits, places_are_a_partition)
{
	CLEANUP(report_freep) struct report *report = new_report(REPORT_RECORDS);
	OWNED_REPORT_RESULT struct report_result result = { 0 };
	const struct report_table *places = &result.tables[REPORT_TABLE_PLACES];
	uint64_t project = 0, outside = 0;
	char path[64];

	for (unsigned int i = 0; i < 5000; i++) {
		snprintf(path, sizeof(path), "/%s/%u/%u", i % 5 ? "usr/share" : "home/anna/project",
			 i % 7 ? i % 3 : i, i);
		add(report, file_event(GRITH_OP_READ, path));
	}
	cr_assert_eq(report_result_make(report, &result), 0);
	cr_expect_leq(places->n_rows, 80);
	for (size_t row = 0; row < places->n_rows; row++) {
		uint64_t files = report_cell(places, row, report_column(places, "files"))->number;

		if (*report_cell(places, row, 1)->text.data == 'p')
			project += files;
		else
			outside += files;
	}
	cr_expect_eq(project, result.counts[REPORT_FILES_PROJECT]);
	cr_expect_eq(outside, result.counts[REPORT_FILES_OUTSIDE]);
}
