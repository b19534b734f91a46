/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The programs that were executed, how often, and one command of each as an example.
 */
#include "internal.h"

enum { TIMES, EXAMPLE, STARTED_BY };

#define EXAMPLE_MAX 400 /* bytes of a command that are kept */

/* The arguments with spaces between them. */
static int name_command(struct report *report, struct record_bytes argv, uint32_t *ret_name)
{
	char command[EXAMPLE_MAX];
	size_t length = argv.length < sizeof(command) ? argv.length : sizeof(command);

	if (!length)
		return 0;
	memcpy(command, argv.data, length);
	for (size_t i = 0; i < length; i++)
		if (!command[i])
			command[i] = ' ';
	if (length == argv.length)
		length--;
	return report_name_add(report, (struct record_bytes) { command, length }, ret_name);
}

int report_add_programs(struct report *report, const struct report_event *event)
{
	uint32_t count = report->programs.keys.count, number, example = REPORT_NAME_NONE;
	struct tally_entry *entry;
	int r;

	if (event->log->kind != LOG_EXEC || !event->happened)
		return 0;
	report->counts[REPORT_EXECS]++;
	r = tally_at(&report->programs, &(struct tally_key) { .a = event->path }, event->log->time,
		     &entry, &number);
	if (r < 0)
		return r;
	entry->n[TIMES]++;
	if (number != count)
		return 0;
	r = name_command(report, event->log->argv, &example);
	entry->n[EXAMPLE] = example;
	entry->n[STARTED_BY] = event->program;
	return r;
}

void report_table_programs(struct table_writer *w)
{
	static const struct report_column columns[] = {
		{ "program", "program", REPORT_TEXT },
		{ "times", "times", REPORT_NUMBER },
		{ "started_by", "first started by", REPORT_TEXT },
		{ "example", "first command", REPORT_TEXT },
	};
	const struct tally *programs = &w->report->programs;

	TABLE_COLUMNS_SET(w->table, columns);
	w->table->beyond = programs->beyond;
	for (uint32_t i = 0; i < programs->keys.count; i++) {
		table_name(w, tally_key(programs, i)->a);
		table_number(w, programs->entries[i].n[TIMES]);
		table_name(w, programs->entries[i].n[STARTED_BY]);
		table_name(w, programs->entries[i].n[EXAMPLE]);
	}
	table_finish(w, 1);
}
