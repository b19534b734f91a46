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

	if (slash)
		program.length -= slash + 1 - program.data;
	if (slash)
		program.data = slash + 1;
	for (size_t i = 0; i < ARRAY_SIZE(shells); i++)
		if (bytes_are(program, shells[i]))
			return true;
	return false;
}

/* What was started, or where that is none by which shell it was read. */
static int count(struct report *report, const struct report_event *event, uint32_t file,
		 uint32_t started)
{
	struct tally_entry *row;
	int r = report_row(
		report, event, TALLY_STARTUP,
		(struct tally_key) { .a = file, .b = started ? 0 : event->program, .c = started },
		&row);

	if (r == 0)
		row->n[0]++;
	return r;
}

static int add_read(struct report *report, const struct report_event *event)
{
	struct report_process *process = report_process(report, event->process);

	if (!(report->facts[event->path].flags & PATH_STARTUP) ||
	    !is_shell(report_name(&report->names, event->program)))
		return 0;
	process->startup = event->path;
	process->reads_startup = true;
	return count(report, event, event->path, REPORT_NAME_NONE);
}

static int add(struct report *report, const struct report_event *event)
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
	return count(report, event, process->startup, event->path);
}

const struct report_section report_startup = {
	.key = "startup",
	.title = "Start-up files of shells",
	.about = "Read by a shell, and what was started until it read the next one; after the last one that includes the command itself.",
	.columns = {
		{ "path", "file", REPORT_TEXT, ROW_A },
		{ "shell", "read by", REPORT_PROGRAM, ROW_B },
		{ "started", "started", REPORT_TEXT, ROW_C },
		{ "times", "times", REPORT_NUMBER, ROW_COUNT(0) },
	},
	.sort = 3,
	.tally = TALLY_STARTUP,
	.add = add,
};
