/* SPDX-License-Identifier: MPL-2.0 */
/* Programs are inherited, replaced and forgotten; the table survives any order of changes. */
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "lib/record/record.h"

static struct process_entry *see(struct process_table *table, uint32_t pid, uint32_t ppid,
				 bool wanted_new)
{
	bool is_new = !wanted_new;
	struct process_entry *entry = process_table_see(table, pid, ppid, &is_new);

	cr_assert_not_null(entry);
	cr_assert_eq(is_new, wanted_new);
	return entry;
}

Test(process_table, a_child_has_the_program_of_its_parent)
{
	struct process_table table = { 0 };

	cr_assert_null(see(&table, 10, 1, true)->program);
	process_entry_set_program(see(&table, 10, 1, false), "/bin/shxx", 7);
	cr_assert_str_eq(see(&table, 11, 10, true)->program, "/bin/sh");
	process_entry_set_program(process_table_find(&table, 11), "/bin/ls", 7);
	cr_assert_str_eq(process_table_find(&table, 10)->program, "/bin/sh");
	cr_assert_str_eq(see(&table, 12, 11, true)->program, "/bin/ls");
	process_table_remove(&table, 11);
	cr_assert_null(process_table_find(&table, 11));
	cr_assert_null(see(&table, 13, 11, true)->program);
	process_table_free(&table);
}

Test(process_table, number_0_is_nobody)
{
	struct process_table table = { 0 };
	bool is_new = true;

	cr_assert_null(process_table_find(&table, 0));
	cr_assert_null(process_table_see(&table, 0, 0, &is_new));
	process_table_remove(&table, 0);
	process_table_remove(&table, 5);
	process_table_free(&table);
}

static bool is_even(uint32_t pid)
{
	return pid % 2 == 0;
}

Test(process_table, sweep)
{
	struct process_table table = { 0 };

	for (uint32_t pid = 1; pid <= 1000; pid++)
		see(&table, pid, 0, true);
	process_table_sweep(&table, is_even);
	for (uint32_t pid = 1; pid <= 1000; pid++)
		cr_assert_eq(process_table_find(&table, pid) != NULL, pid % 2, "%u", pid);
	process_table_free(&table);
}

Test(process_table, any_order_of_changes)
{
	enum { PIDS = 3000 };
	static bool there[PIDS];
	struct process_table table = { 0 };

	srandom(3);
	for (int i = 0; i < 200000; i++) {
		uint32_t pid = 1 + random() % (PIDS - 1);

		if (random() % 2) {
			see(&table, pid, 0, !there[pid]);
			there[pid] = true;
		} else {
			process_table_remove(&table, pid);
			there[pid] = false;
		}
	}
	for (uint32_t pid = 1; pid < PIDS; pid++)
		cr_assert_eq(process_table_find(&table, pid) != NULL, there[pid]);
	process_table_free(&table);
}

Test(process_table, it_is_bounded)
{
	struct process_table table = { 0 };
	bool is_new;

	for (uint32_t pid = 1; pid <= PROCESS_TABLE_MAX; pid++)
		cr_assert_not_null(process_table_see(&table, pid, 0, &is_new));
	cr_assert_null(process_table_see(&table, PROCESS_TABLE_MAX + 1, 0, &is_new));
	process_table_free(&table);
}
