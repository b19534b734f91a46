/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What is open stays readable, whatever becomes of its name, so a file is read to its end before
 * anything else is looked at. The next one is found by the number of its first line. A new
 * audit.jsonl is opened before the directory is listed: what was sealed in between is in the list.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "block.h"
#include "files.h"

struct log_files {
	int directory; /* the caller's */
	struct log_want want;
	struct log_cursor ahead;
	uint64_t after; /* nothing is open: the segment that was read last */

	struct audit_segments before; /* those that were there at the end, for going back */
	size_t n_before; /* of them were not read yet */
	struct log_cursor back;

	struct audit_buffer block;
};

int log_files_open(int directory, const struct log_want *want, struct log_files **ret_files)
{
	struct log_files *files = calloc(1, sizeof(*files));

	if (!files)
		return -ENOMEM;
	files->directory = directory;
	files->ahead = files->back = LOG_CURSOR_CLOSED;
	if (want)
		files->want = *want;
	*ret_files = files;
	return 0;
}

void log_files_free(struct log_files *files)
{
	if (!files)
		return;
	log_cursor_close(&files->ahead);
	log_cursor_close(&files->back);
	audit_segments_free(&files->before);
	audit_buffer_free(&files->block);
	free(files);
}

static const struct audit_segment *next_after(const struct audit_segments *segments, uint64_t first)
{
	for (size_t i = 0; i < segments->count; i++)
		if (segments->list[i].first > first &&
		    (segments->list[i].plain || segments->list[i].compressed))
			return &segments->list[i];
	return NULL;
}

/* 1, or 0: there is nothing yet. */
static int open_next(struct log_files *files)
{
	OWNED_AUDIT_SEGMENTS struct audit_segments segments = { 0 };
	const struct audit_segment *next;
	int r = log_cursor_open_active(files->directory, &files->ahead), listed;

	if (r < 0 && r != -ENOENT)
		return r;
	listed = audit_segments_list(files->directory, &segments);
	if (listed < 0)
		return listed;
	next = next_after(&segments, files->after);
	if (!next)
		return r == 0;
	r = log_cursor_open_segment(files->directory, next->first, &files->ahead);
	if (r == 0)
		return 1;
	log_cursor_close(&files->ahead);
	files->after = next->first;
	return r == -ENOENT ? open_next(files) : r; /* it was removed meanwhile */
}

/* Whether the file that is open is still the one that is written. */
static int is_current(const struct log_files *files, const struct log_cursor *cursor)
{
	struct stat open, named;

	if (fstat(cursor->fd, &open) < 0)
		return -errno;
	if (fstatat(files->directory, AUDIT_FILE, &named, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : -errno;
	return open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

/* At the end of a file. 1: go on; 0: it is the end of all. */
static int leave(struct log_files *files)
{
	struct log_cursor *cursor = &files->ahead;
	uint64_t first;
	int r;

	if (cursor->active) {
		r = is_current(files, cursor);
		if (r != 0)
			return r < 0 ? r : 0;
		/* What was written before it was renamed is still to be read. */
		cursor->active = false;
		return 1;
	}
	r = log_cursor_find_first(cursor, &first);
	if (r < 0 && r != -EBADMSG)
		return r;
	if (r == 0 && first > files->after)
		files->after = first;
	log_cursor_close(cursor);
	return 1;
}

/* 1: what was opened is what is written; 0: it was sealed meanwhile, try again. */
static int find_end(struct log_files *files)
{
	struct log_cursor *ahead = &files->ahead;
	int r = log_cursor_open_active(files->directory, ahead), listed;

	if (r < 0 && r != -ENOENT)
		return r;
	audit_segments_free(&files->before);
	listed = audit_segments_list(files->directory, &files->before);
	if (listed < 0)
		return listed;
	files->n_before = files->before.count;
	files->after = files->n_before ? files->before.list[files->n_before - 1].first : 0;
	if (r == -ENOENT)
		return 1;
	r = is_current(files, ahead);
	if (r <= 0)
		return r;
	r = log_cursor_seek_end(ahead);
	return r < 0 ? r : 1;
}

int log_files_seek_end(struct log_files *files)
{
	int r;

	log_cursor_close(&files->ahead);
	log_cursor_close(&files->back);
	do
		r = find_end(files);
	while (r == 0);
	if (r < 0 || files->ahead.fd < 0)
		return r < 0 ? r : 0;
	files->back.fd = fcntl(files->ahead.fd, F_DUPFD_CLOEXEC, 0);
	if (files->back.fd < 0)
		return -errno;
	files->back.offset = files->ahead.offset;
	return 0;
}

/* The segment before. 1; 0: there is none. */
static int open_before(struct log_files *files)
{
	while (files->n_before) {
		uint64_t first = files->before.list[--files->n_before].first;
		int r = log_cursor_open_segment(files->directory, first, &files->back);

		if (r == 0)
			r = log_cursor_seek_end(&files->back);
		if (r == 0)
			return 1;
		if (r != -ENOENT)
			return r;
	}
	return 0;
}

static int leave_back(struct log_files *files)
{
	log_cursor_close(&files->back);
	return 1;
}

static int read_block(struct log_files *files, bool back, const char **ret_block,
		      size_t *ret_length)
{
	struct log_cursor *cursor = back ? &files->back : &files->ahead;
	int r = 1;

	while (r == 1) {
		if (cursor->fd < 0)
			r = back ? open_before(files) : open_next(files);
		if (r != 1)
			break;
		r = back ? log_cursor_read_back(cursor, &files->want, &files->block)
			 : log_cursor_read(cursor, &files->want, &files->block);
		if (r == 1) {
			*ret_block = files->block.data;
			*ret_length = files->block.length;
			return 1;
		}
		if (r == 0)
			r = back ? leave_back(files) : leave(files);
	}
	return r;
}

int log_files_read(struct log_files *files, const char **ret_block, size_t *ret_length)
{
	return read_block(files, false, ret_block, ret_length);
}

int log_files_read_back(struct log_files *files, const char **ret_block, size_t *ret_length)
{
	return read_block(files, true, ret_block, ret_length);
}

int log_files_find_last(int directory, struct audit_chain *ret_last)
{
	CLEANUP(log_files_freep) struct log_files *files = NULL;
	struct record_bytes block = { 0 }, line;
	struct audit_chain last = { 0 };
	struct audit_link link;
	int r = log_files_open(directory, NULL, &files);

	if (r == 0)
		r = log_files_seek_end(files);
	if (r == 0)
		r = log_files_read_back(files, &block.data, &block.length);
	if (r < 0)
		return r;
	if (r == 1 && log_block_last(&block, &line)) {
		if (!audit_link_parse(line.data, line.length, &link))
			return -EBADMSG;
		last.n = link.n;
		audit_hash_line(line.data, line.length, &last.hash);
	}
	*ret_last = last;
	return 0;
}

void log_files_turn(struct log_files *files)
{
	log_cursor_close(&files->ahead);
	files->ahead = files->back;
	files->back = LOG_CURSOR_CLOSED;
	/* That the file is a sealed one, and which comes after it, is found out at its end. */
	files->ahead.active = files->ahead.fd >= 0;
	files->after = 0;
}
