/* SPDX-License-Identifier: MPL-2.0 */
/* Any bytes as a strace log: events that hold together, and counts that add up. */
#include <stdlib.h>
#include <string.h>

#include "lib/strace/strace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_bytes(struct record_bytes bytes, uint64_t *sum)
{
	for (size_t i = 0; i < bytes.length; i++)
		*sum += (unsigned char)bytes.data[i];
}

static int check(void *arg, struct log_event *event)
{
	uint64_t *sum = arg;

	if (event->kind == LOG_FILE && event->path.length && event->path.data[0] != '/')
		abort();
	if (event->op <= GRITH_OP_NONE || event->op >= GRITH_OPS || event->error < 0)
		abort();
	if (event->argv.length && event->argv.data[event->argv.length - 1])
		abort();
	check_bytes(event->path, sum);
	check_bytes(event->second, sum);
	check_bytes(event->address, sum);
	check_bytes(event->argv, sum);
	check_bytes(event->program, sum);
	check_bytes(event->comm, sum);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct strace_options options = { .cwd = size & 1 ? "/srv" : NULL };
	const char *at = (const char *)data, *end = at + size;
	CLEANUP(strace_log_freep) struct strace_log *log = NULL;
	struct strace_notes notes;
	uint64_t sum = 0, lines = 0;

	if (strace_log_new(&options, check, &sum, &log) < 0)
		return 0;
	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t length = (size_t)((newline ? newline : end) - at);
		/* A copy of its own, so that reading beyond it is seen. */
		OWNED_MEM char *line = malloc(length ? length : 1);

		if (!line)
			return 0;
		memcpy(line, at, length);
		if (strace_log_line(log, line, length) < 0)
			return 0;
		lines++;
		at += length + 1;
	}
	notes = strace_log_notes(log);
	if (notes.lines != lines || notes.unreadable > lines || notes.n_unknown > STRACE_NAMES_MAX)
		abort();
	return 0;
}
