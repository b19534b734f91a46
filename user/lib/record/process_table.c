/* SPDX-License-Identifier: MPL-2.0 */
/* A hash table by pid: the kernel chooses these, and it has PROCESS_TABLE_MAX of them at most. */
#include "process_table.h"

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

struct process_slot {
	struct process_entry entry;
	UT_hash_handle hh;
};

static struct process_slot *find(const struct process_table *table, uint32_t pid)
{
	struct process_slot *slot;

	HASH_FIND_INT(table->slots, &pid, slot);
	return slot;
}

struct process_entry *process_table_find(const struct process_table *table, uint32_t pid)
{
	struct process_slot *slot = find(table, pid);

	return slot ? &slot->entry : NULL;
}

static void free_slot(struct process_slot *slot)
{
	free(slot->entry.program);
	free(slot);
}

struct process_entry *process_table_see(struct process_table *table, uint32_t pid, uint32_t ppid,
					bool *ret_new)
{
	struct process_entry *entry = process_table_find(table, pid), *parent;
	struct process_slot *slot;

	if (entry || !pid) {
		*ret_new = false;
		return entry;
	}
	if (process_table_is_full(table))
		return NULL;
	slot = calloc(1, sizeof(*slot));
	if (!slot)
		return NULL;
	slot->entry = (struct process_entry) { .pid = pid, .ppid = ppid };
	HASH_ADD_INT(table->slots, entry.pid, slot);
	if (!slot->hh.tbl) { /* no memory */
		free_slot(slot);
		return NULL;
	}
	parent = process_table_find(table, ppid);
	if (parent && parent->program)
		slot->entry.program = strdup(parent->program);
	*ret_new = true;
	return &slot->entry;
}

bool process_table_is_full(const struct process_table *table)
{
	return HASH_COUNT(table->slots) >= PROCESS_TABLE_MAX;
}

void process_entry_set_program(struct process_entry *entry, const char *program, size_t length)
{
	free(entry->program);
	entry->program = strndup(program, length);
}

static void remove_slot(struct process_table *table, struct process_slot *slot)
{
	HASH_DEL(table->slots, slot);
	free_slot(slot);
}

void process_table_remove(struct process_table *table, uint32_t pid)
{
	struct process_slot *slot = find(table, pid);

	if (slot)
		remove_slot(table, slot);
}

void process_table_sweep(struct process_table *table, bool (*gone)(uint32_t pid))
{
	struct process_slot *slot, *next;

	HASH_ITER(hh, table->slots, slot, next)
	if (!gone || gone(slot->entry.pid))
		remove_slot(table, slot);
}

void process_table_free(struct process_table *table)
{
	process_table_sweep(table, NULL);
}
