/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The log is read twice, to verify it and to write it out: nothing that is signed here is wrong in
 * the log, and nothing is kept in memory.
 */
#include <time.h>

#include "lib/event/event.h"
#include "export.h"

struct state {
	struct audit_export *wanted;
	FILE *out;
	uint64_t lines;
	struct audit_hash all;
};

static int verify(const struct audit_export *wanted, int directory)
{
	struct audit_verify found = { .key = wanted->key, .head = wanted->head };
	int r = audit_verify_directory(&found, directory, &wanted->range);

	if (r < 0)
		return r;
	return found.fault ? -EBADMSG : 0;
}

static int put(struct state *state, const char *line, size_t length)
{
	if (fwrite(line, 1, length, state->out) != length || putc('\n', state->out) == EOF)
		return -EIO;
	state->lines++;
	return 0;
}

static bool is_of_session(const struct audit_export *wanted, const char *line, size_t length)
{
	struct log_head head;

	return log_head_parse(line, length, &head) && !strcmp(head.session, wanted->session);
}

/* 1: it was the last one; 0; -errno. */
static int take_line(struct state *state, const char *line, size_t length)
{
	struct audit_export *wanted = state->wanted;
	const struct audit_range *range = &wanted->range;
	struct audit_entry entry;
	struct audit_hash hash;
	struct audit_link link;
	int r;

	if (!audit_link_parse(line, length, &link) || !audit_entry_parse(line, length, &entry))
		return -EBADMSG;
	if (link.n < range->from)
		return 0;
	if (wanted->session) {
		if (range->to && link.n > range->to)
			return 1;
		if (!is_of_session(wanted, line, length))
			return 0;
		audit_hash_line(line, length, &hash);
		audit_hash_fold(&state->all, &hash);
	}
	r = put(state, line, length);
	wanted->unsigned_lines = entry.kind == AUDIT_CHECKPOINT ? 0 : wanted->unsigned_lines + 1;
	if (r < 0)
		return r;
	return !wanted->session && range->to && link.n >= range->to && !wanted->unsigned_lines;
}

static int take_block(struct state *state, const char *block, size_t length)
{
	const char *end = block + length, *newline;
	int r = 0;

	for (; r == 0 && (newline = memchr(block, '\n', end - block)); block = newline + 1)
		r = take_line(state, block, newline - block);
	return r;
}

static int state_lines(const struct state *state)
{
	OWNED_TEXT struct text line = { 0 };
	struct timespec real, mono;
	struct event_head now = { .session = state->wanted->session };
	int r;

	clock_gettime(CLOCK_REALTIME, &real);
	clock_gettime(CLOCK_MONOTONIC, &mono);
	now.time = real.tv_sec * UINT64_C(1000000000) + real.tv_nsec;
	now.mono = mono.tv_sec * UINT64_C(1000000000) + mono.tv_nsec;
	r = audit_entry_export(&line, &now, state->lines, &state->all, state->wanted->key);
	if (r < 0)
		return r;
	return fwrite(line.data, 1, line.length, state->out) == line.length ? 0 : -EIO;
}

int audit_export(struct audit_export *wanted, int directory, FILE *out)
{
	struct state state = { .wanted = wanted, .out = out };
	CLEANUP(log_files_freep) struct log_files *files = NULL;
	struct log_want want = { 0 };
	const char *block;
	size_t length;
	int r = verify(wanted, directory);

	snprintf(want.session, sizeof(want.session), "%s", wanted->session ? wanted->session : "");
	if (r == 0)
		r = log_files_open(directory, &want, &files);
	while (r == 0 && (r = log_files_read(files, &block, &length)) == 1)
		r = take_block(&state, block, length);
	if (r < 0)
		return r;
	if (!state.lines)
		return -ENOENT;
	return wanted->session ? state_lines(&state) : 0;
}
