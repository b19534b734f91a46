/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Start-up files that shells read, and what was started because of them. A shell reads such a file
 * whole, then does what it says, then reads the next one: so what its children execute between the
 * two is put down to the first. After the last file there is no next one; from then on the shell's
 * own command counts with it, which the reader is told.
 */
#include "internal.h"

static bool is_shell(struct record_bytes program)
{
	static const char *const shells[] = { "sh",   "bash", "dash", "zsh",	"ksh",
					      "mksh", "fish", "ash",  "busybox" };
	const char *slash = memrchr(program.data, '/', program.length);
	const char *name = slash ? slash + 1 : program.data;
	size_t length = program.data + program.length - name;

	for (size_t i = 0; i < ARRAY_SIZE(shells); i++)
		if (strlen(shells[i]) == length && !memcmp(shells[i], name, length))
			return true;
	return false;
}

static int add(struct report *report, const struct report_event *event, uint32_t file,
	       uint32_t started)
{
	struct tally_entry *entry;
	int r = tally_at(
		&report->startup,
		&(struct tally_key) { .a = file, .b = started ? 0 : event->program, .c = started },
		event->log->time, &entry, NULL);

	if (r == 0)
		entry->n[0]++;
	return r;
}

static int add_read(struct report *report, const struct report_event *event)
{
	struct report_process *process = report_process(report, event->process);
	struct path_facts *facts = report_path(report, event->path);

	if (!facts)
		return -ENOMEM;
	if (!(facts->flags & PATH_STARTUP) ||
	    !is_shell(report_name(&report->names, event->program)))
		return 0;
	process->startup = event->path;
	process->reads_startup = true;
	return add(report, event, event->path, REPORT_NAME_NONE);
}

int report_add_startup(struct report *report, const struct report_event *event)
{
	const struct log_event *log = event->log;
	struct report_process *process = report_process(report, event->process);

	if (!event->happened || !event->path)
		return 0;
	if (log->kind == LOG_FILE && log->op == GRITH_OP_READ)
		return add_read(report, event);
	if (log->kind != LOG_EXEC || !process->startup)
		return 0;
	if (process->reads_startup) {
		/* The shell becomes the command that it was given. */
		process->startup = REPORT_NAME_NONE;
		process->reads_startup = false;
		return 0;
	}
	return add(report, event, process->startup, event->path);
}

void report_table_startup(struct table_writer *w)
{
	static const struct report_column columns[] = {
		{ "path", "file", REPORT_TEXT },
		{ "shell", "read by", REPORT_TEXT },
		{ "started", "started", REPORT_TEXT },
		{ "times", "times", REPORT_NUMBER },
	};
	const struct tally *startup = &w->report->startup;

	TABLE_COLUMNS_SET(w->table, columns);
	w->table->beyond = startup->beyond;
	for (uint32_t i = 0; i < startup->keys.count; i++) {
		table_name(w, tally_key(startup, i)->a);
		table_name(w, tally_key(startup, i)->b);
		table_name(w, tally_key(startup, i)->c);
		table_number(w, startup->entries[i].n[0]);
	}
	table_finish(w, 3);
}
