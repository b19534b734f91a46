/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The processes of one session, as far as records told of them: which program each one runs. A
 * process is put in at its first record, with the program of its parent, and taken out at its exit.
 * Does not look at /proc: the caller does, for what is not known here.
 */
#pragma once

#include "lib/base/base.h"

#define PROCESS_TABLE_MAX 65536 /* beyond, processes are not remembered */

struct process_entry {
	uint32_t pid;
	uint32_t ppid;
	char *program; /* NULL: not known */
};

/* Starts as {0}. */
struct process_table {
	struct process_slot *slots;
};

/* NULL: not there. Valid until it is removed. */
struct process_entry *process_table_find(const struct process_table *table, uint32_t pid);

/*
 * The entry of a process that made a record, put in where it is not there yet: then *ret_new is
 * true, and its program may be NULL. NULL: no room or no memory.
 */
struct process_entry *process_table_see(struct process_table *table, uint32_t pid, uint32_t ppid,
					bool *ret_new);
bool process_table_is_full(const struct process_table *table);

/* Replaces the program; `length` bytes without NUL. A failure leaves it unknown. */
void process_entry_set_program(struct process_entry *entry, const char *program, size_t length);

void process_table_remove(struct process_table *table, uint32_t pid);

/* Removes all that `gone` returns true for, after records were lost. NULL: all. */
void process_table_sweep(struct process_table *table, bool (*gone)(uint32_t pid));
void process_table_free(struct process_table *table);
