/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Records name a program by nothing but its process. The table of processes is kept by the records
 * themselves. /proc is asked for what no record has told of: a parent that only forked, and the
 * program of a process whose parents are not known, such as one that a dead parent left behind.
 */
#include "intake.h"

#define SILENT_PARENTS 16 /* one above the other */

/*
 * Parents that only forked run what those above them run. Without them their children would seem to
 * run what they have started since their records.
 */
static void enter_silent_parents(struct process_table *table, uint32_t pid)
{
	uint32_t silent[SILENT_PARENTS];
	size_t count = 0;
	bool is_new;

	while (pid && !process_table_find(table, pid)) {
		if (count == SILENT_PARENTS)
			return;
		silent[count++] = pid;
		pid = proc_parent(pid);
	}
	for (; pid && count; pid = silent[--count])
		process_table_see(table, silent[count - 1], pid, &is_new);
}

/* From /proc, where the process is still the session's and not another one with its number. */
static void look_up(const struct session *session, struct process_entry *entry)
{
	OWNED_MEM char *program = NULL;

	if (proc_link(entry->pid, "exe", &program) == 0 && program[0] &&
	    root_cgroup_has(session->sessions->root, session->info.id, entry->pid))
		process_entry_set_program(entry, program, strlen(program));
}

void programs_of(struct session *session, const struct record *record, const char **ret_program,
		 const char **ret_parent)
{
	struct process_table *table = &session->processes;
	const struct grith_record *head = &record->head;
	struct process_entry *entry, *parent;
	bool is_new = false;

	/* A full table would have /proc asked again for each record. */
	if (!process_table_is_full(table) && !process_table_find(table, head->pid))
		enter_silent_parents(table, head->ppid);
	entry = process_table_see(table, head->pid, head->ppid, &is_new);
	if (entry && is_new && !entry->program)
		look_up(session, entry);
	if (entry && head->kind == GRITH_KIND_EXEC && record->path.length)
		process_entry_set_program(entry, record->path.data, record->path.length);
	parent = process_table_find(table, head->ppid);
	*ret_program = entry ? entry->program : NULL;
	*ret_parent = parent ? parent->program : NULL;
}
