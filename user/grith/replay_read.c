/* SPDX-License-Identifier: MPL-2.0 */
/* Lines as they come, from a file or a pipe. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "lines.h"
#include "replay_read.h"

#define LOOK_LINES 2000 /* from the start of a log, to find where it began */

/* A line that is too long goes on to its newline, of which nothing is kept. */
static void leave_out(struct lines *lines, bool *leaving, uint64_t *too_long)
{
	*too_long += !*leaving;
	*leaving = true;
	lines->start = lines->end = lines->looked = 0;
}

int replay_read(int fd, struct strace_log *log, uint64_t *ret_too_long)
{
	OWNED_LINES struct lines lines = { 0 };
	bool leaving = false;
	char *line;
	size_t length;
	int r;

	while ((r = lines_read(&lines, fd, STRACE_LINE_MAX)) != 0) {
		if (r == -EMSGSIZE) {
			leave_out(&lines, &leaving, ret_too_long);
			continue;
		}
		if (r < 0)
			return r;
		while (lines_next(&lines, &line, &length)) {
			r = leaving ? 0 : strace_log_line(log, line, length);
			leaving = false;
			if (r)
				return r;
		}
	}
	/* The last line, where its newline is not there (yet). */
	return lines_held(&lines) && !leaving
		       ? strace_log_line(log, lines.data + lines.start, lines_held(&lines))
		       : 0;
}

static int look(void *arg, struct log_event *event)
{
	struct replay_start *start = arg;

	if (event->kind != LOG_EXEC || event->error || start->program)
		return event->sequence > LOOK_LINES;
	start->program = strndup(event->path.data, event->path.length);
	return start->program ? 0 : -ENOMEM;
}

int replay_look(int fd, struct replay_start *ret_start)
{
	const struct strace_options none = { 0 };
	CLEANUP(strace_log_freep) struct strace_log *log = NULL;
	struct strace_notes notes;
	uint64_t too_long = 0;
	int r;

	if (lseek(fd, 0, SEEK_CUR) < 0)
		return 0;
	r = strace_log_new(&none, look, ret_start, &log);
	if (r < 0)
		return r;
	r = replay_read(fd, log, &too_long);
	notes = strace_log_notes(log);
	if (r != -ENOMEM && notes.first_cwd)
		ret_start->cwd = strdup(notes.first_cwd);
	lseek(fd, 0, SEEK_SET);
	return r == -ENOMEM ? r : 0;
}

void replay_start_clear(struct replay_start *start)
{
	free(start->program);
	free(start->cwd);
}
