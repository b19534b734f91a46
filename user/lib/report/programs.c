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

static int add(struct report *report, const struct report_event *event)
{
	uint32_t example = REPORT_NAME_NONE;
	struct tally_entry *row;
	int r;

	if (event->log->kind != LOG_EXEC || !event->happened)
		return 0;
	report->counts[REPORT_EXECS]++;
	r = report_row(report, event, TALLY_PROGRAMS, (struct tally_key) { .a = event->path },
		       &row);
	if (r < 0 || row->n[TIMES]++)
		return r;
	r = name_command(report, event->log->argv, &example);
	row->n[EXAMPLE] = example;
	row->n[STARTED_BY] = event->program;
	return r;
}

const struct report_section report_programs = {
	.key = "programs",
	.title = "Programs executed",
	.about = "By path.",
	.columns = {
		{ "program", "program", REPORT_PROGRAM, ROW_A },
		{ "times", "times", REPORT_NUMBER, ROW_COUNT(TIMES) },
		{ "started_by", "first started by", REPORT_PROGRAM, ROW_COUNT(STARTED_BY) },
		{ "example", "first command", REPORT_TEXT, ROW_COUNT(EXAMPLE) },
	},
	.sort = 1,
	.tally = TALLY_PROGRAMS,
	.add = add,
};
