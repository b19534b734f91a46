/* SPDX-License-Identifier: MPL-2.0 */
/* Linear probing; removal moves later entries of the run up, so there are no tombstones. */

#include "process_table.h"

#define SLOTS_MIN 16

static size_t home_of(const struct process_table *table, uint32_t pid)
{
	return (pid * 2654435761u) & (table->n_slots - 1); /* Knuth's multiplicative hash */
}

static struct process_entry *slot_of(const struct process_table *table, uint32_t pid)
{
	size_t i = home_of(table, pid);

	while (table->slots[i].pid && table->slots[i].pid != pid)
		i = (i + 1) & (table->n_slots - 1);
	return &table->slots[i];
}

static int grow(struct process_table *table)
{
	struct process_table larger = { .n_slots =
						table->n_slots ? table->n_slots * 2 : SLOTS_MIN };

	larger.slots = calloc(larger.n_slots, sizeof(*larger.slots));
	if (!larger.slots)
		return -ENOMEM;
	for (size_t i = 0; i < table->n_slots; i++)
		if (table->slots[i].pid)
			*slot_of(&larger, table->slots[i].pid) = table->slots[i];
	larger.n_used = table->n_used;
	free(table->slots);
	*table = larger;
	return 0;
}

struct process_entry *process_table_find(const struct process_table *table, uint32_t pid)
{
	struct process_entry *entry;

	if (!table->n_slots || !pid)
		return NULL;
	entry = slot_of(table, pid);
	return entry->pid ? entry : NULL;
}

struct process_entry *process_table_see(struct process_table *table, uint32_t pid, uint32_t ppid,
					bool *ret_new)
{
	struct process_entry *entry = process_table_find(table, pid), *parent;

	if (entry || !pid) {
		*ret_new = false;
		return entry;
	}
	if (table->n_used >= PROCESS_TABLE_MAX)
		return NULL;
	if (table->n_used >= table->n_slots / 2 && grow(table) < 0)
		return NULL;
	entry = slot_of(table, pid);
	*entry = (struct process_entry) { .pid = pid, .ppid = ppid };
	table->n_used++;
	parent = process_table_find(table, ppid);
	if (parent && parent->program)
		entry->program = strdup(parent->program);
	*ret_new = true;
	return entry;
}

void process_entry_set_program(struct process_entry *entry, const char *program, size_t length)
{
	free(entry->program);
	entry->program = strndup(program, length);
}

/* Whether `home` lies cyclically in (hole, at]: then the entry at `at` must stay. */
static bool stays(size_t hole, size_t home, size_t at)
{
	return hole <= at ? hole < home && home <= at : hole < home || home <= at;
}

void process_table_remove(struct process_table *table, uint32_t pid)
{
	struct process_entry *entry = process_table_find(table, pid);
	size_t hole, mask = table->n_slots - 1;

	if (!entry)
		return;
	free(entry->program);
	hole = entry - table->slots;
	for (size_t i = (hole + 1) & mask; table->slots[i].pid; i = (i + 1) & mask)
		if (!stays(hole, home_of(table, table->slots[i].pid), i)) {
			table->slots[hole] = table->slots[i];
			hole = i;
		}
	table->slots[hole] = (struct process_entry) { 0 };
	table->n_used--;
}

void process_table_sweep(struct process_table *table, bool (*gone)(uint32_t pid))
{
	/* A removal may move another entry into the slot: look at it again. */
	for (size_t i = 0; i < table->n_slots;)
		if (table->slots[i].pid && gone(table->slots[i].pid))
			process_table_remove(table, table->slots[i].pid);
		else
			i++;
}

void process_table_free(struct process_table *table)
{
	for (size_t i = 0; i < table->n_slots; i++)
		free(table->slots[i].program);
	free(table->slots);
	*table = (struct process_table) { 0 };
}
