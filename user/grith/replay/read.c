/* SPDX-License-Identifier: MPL-2.0 */
/* Lines as they come, from a file or a pipe. */
#include <unistd.h>

#include "read.h"

#define LOOK_EVENTS 20000 /* from the start of a log, to find where it began */

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

static int keep(const char *data, size_t length, char **text)
{
	*text = strndup(data, length);
	return *text ? 0 : -ENOMEM;
}

static int look_at_exec(const struct log_event *event, struct replay_start *start)
{
	struct record_bytes argv = event->argv;
	size_t first = strnlen(argv.data ? argv.data : "", argv.length);
	const char *second = first < argv.length ? argv.data + first + 1 : "";
	int r = keep(event->path.data, event->path.length, &start->program);

	/* Each argument has its NUL. */
	return r == 0 && first + 1 < argv.length && strchr(second, '/')
		       ? keep(second, strlen(second), &start->script)
		       : r;
}

static int look(void *arg, struct log_event *event)
{
	const size_t head = strlen("/.git/HEAD");
	struct replay_start *start = arg;
	struct record_bytes path = event->path;

	if (event->sequence > LOOK_EVENTS)
		return 1;
	if (event->error)
		return 0;
	if (event->kind == LOG_EXEC && !start->program)
		return look_at_exec(event, start);
	if (event->kind == LOG_FILE && !start->worktree && path.length > head &&
	    !memcmp(path.data + path.length - head, "/.git/HEAD", head))
		return keep(path.data, path.length - head, &start->worktree);
	return 0;
}

int replay_look(int fd, const char *cwd, struct replay_start *ret_start)
{
	const struct strace_options options = { .cwd = cwd };
	CLEANUP(strace_log_freep) struct strace_log *log = NULL;
	struct strace_notes notes;
	uint64_t too_long = 0;
	int r;

	if (lseek(fd, 0, SEEK_CUR) < 0)
		return 0;
	r = strace_log_new(&options, look, ret_start, &log);
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
	free(start->script);
	free(start->cwd);
	free(start->worktree);
}
