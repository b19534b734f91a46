/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A plain file gives blocks that end with its last whole line within LOG_BLOCK bytes; a compressed
 * one gives its frames. A line that does not end within AUDIT_FRAME_MAX is damage, and the start of
 * the next one is not known, so the rest of the file is given up.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "block.h"
#include "cursor.h"

#define OPEN_FLAGS (O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)

static int read_at(int fd, char *data, size_t length, off_t offset, size_t *ret_length)
{
	size_t done = 0;

	while (done < length) {
		ssize_t n = pread(fd, data + done, length - done, offset + done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		done += n;
	}
	*ret_length = done;
	return 0;
}

static int size_of(int fd, off_t *ret_size)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EBADMSG;
	*ret_size = st.st_size;
	return 0;
}

static int read_index(int directory, uint64_t first, struct audit_index *ret_index)
{
	OWNED_TEXT struct text text = { 0 };
	int r = small_file_read(directory, audit_segment_name(first, AUDIT_INDEX).text,
				AUDIT_INDEX_MAX, &text);

	if (r == -ENOENT || r == -EFBIG || r == -ELOOP)
		return -EBADMSG;
	return r < 0 ? r : audit_index_parse(text.data, text.length, ret_index);
}

/* A segment is compressed, then its plain form is removed: one of the two is always there. */
static int open_form(int directory, uint64_t first, bool *ret_compressed)
{
	static const enum audit_form forms[] = { AUDIT_COMPRESSED, AUDIT_PLAIN, AUDIT_COMPRESSED };

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		int fd = openat(directory, audit_segment_name(first, forms[i]).text, OPEN_FLAGS);

		if (fd < 0 && errno != ENOENT)
			return -errno;
		if (fd >= 0) {
			*ret_compressed = forms[i] == AUDIT_COMPRESSED;
			return fd;
		}
	}
	return -ENOENT;
}

int log_cursor_open_segment(int directory, uint64_t first, struct log_cursor *cursor)
{
	bool compressed = false;
	OWNED_FD int fd = open_form(directory, first, &compressed);
	struct audit_index index = { 0 };
	int r;

	if (fd < 0)
		return fd;
	if (compressed) {
		r = read_index(directory, first, &index);
		if (r < 0)
			return r;
	}
	log_cursor_close(cursor);
	cursor->fd = TAKE_FD(fd);
	cursor->first = first;
	cursor->compressed = compressed;
	cursor->index = index;
	return 0;
}

int log_cursor_open_plain(int directory, uint64_t first, struct log_cursor *cursor)
{
	int fd = openat(directory, audit_segment_name(first, AUDIT_PLAIN).text, OPEN_FLAGS);

	if (fd < 0)
		return -errno;
	log_cursor_close(cursor);
	cursor->fd = fd;
	cursor->first = first;
	return 0;
}

int log_cursor_open_active(int directory, struct log_cursor *cursor)
{
	int fd = openat(directory, AUDIT_FILE, OPEN_FLAGS);

	if (fd < 0)
		return -errno;
	log_cursor_close(cursor);
	cursor->fd = fd;
	cursor->active = true;
	return 0;
}

void log_cursor_close(struct log_cursor *cursor)
{
	cleanup_close(&cursor->fd);
	audit_index_free(&cursor->index);
	*cursor = LOG_CURSOR_CLOSED;
}

static int damaged(struct log_cursor *cursor)
{
	cursor->offset = INT64_MAX;
	return -EBADMSG;
}

static int read_plain(struct log_cursor *cursor, struct audit_buffer *out)
{
	for (size_t wanted = LOG_BLOCK; wanted <= AUDIT_FRAME_MAX; wanted *= 2) {
		const char *newline;
		size_t got;
		int r = audit_buffer_reserve(out, wanted);

		if (r == 0)
			r = read_at(cursor->fd, out->data, wanted, cursor->offset, &got);
		if (r < 0)
			return r;
		newline = got ? memrchr(out->data, '\n', got) : NULL;
		if (newline) {
			out->length = newline + 1 - out->data;
			cursor->offset += out->length;
			return 1;
		}
		if (got < wanted) /* a line that is being written, unless nobody writes any more */
			return got && !cursor->active ? damaged(cursor) : 0;
	}
	return damaged(cursor);
}

/* The packed frame is put behind the room for what is in it: memory that is there already. */
static int read_frame(const struct log_cursor *cursor, const struct audit_frame *frame,
		      struct audit_buffer *out)
{
	char *packed;
	size_t got;
	int r = audit_buffer_reserve(out, frame->length + frame->size);

	if (r < 0)
		return r;
	packed = out->data + frame->length;
	r = read_at(cursor->fd, packed, frame->size, frame->offset, &got);
	if (r < 0)
		return r;
	if (got != frame->size)
		return -EBADMSG;
	r = audit_unpack(packed, frame->size, frame->length, out);
	if (r < 0)
		return r;
	return out->data[out->length - 1] == '\n' ? 1 : -EBADMSG;
}

static bool may_have(const struct audit_frame *frame, const struct log_want *want)
{
	return !want || audit_frame_may_have(frame, want->session, want->since);
}

int log_cursor_read(struct log_cursor *cursor, const struct log_want *want,
		    struct audit_buffer *out)
{
	if (!cursor->compressed)
		return cursor->offset == INT64_MAX ? 0 : read_plain(cursor, out);
	while (cursor->frame < cursor->index.count) {
		const struct audit_frame *frame = &cursor->index.frames[cursor->frame++];

		if (may_have(frame, want))
			return read_frame(cursor, frame, out);
	}
	return 0;
}

static int read_plain_back(struct log_cursor *cursor, struct audit_buffer *out)
{
	for (size_t wanted = LOG_BLOCK; cursor->offset; wanted *= 2) {
		off_t start = cursor->offset > (off_t)wanted ? cursor->offset - (off_t)wanted : 0;
		size_t length = cursor->offset - start, cut = 0, got;
		const char *newline;
		int r = audit_buffer_reserve(out, length);

		if (r == 0)
			r = read_at(cursor->fd, out->data, length, start, &got);
		if (r < 0)
			return r;
		if (got != length)
			break;
		newline = start ? memchr(out->data, '\n', length - 1) : NULL;
		if (start && !newline && wanted < AUDIT_FRAME_MAX)
			continue;
		if (start && !newline)
			break;
		if (newline)
			cut = newline + 1 - out->data;
		memmove(out->data, out->data + cut, length - cut);
		out->length = length - cut;
		cursor->offset = start + cut;
		return 1;
	}
	if (!cursor->offset)
		return 0;
	cursor->offset = 0;
	return -EBADMSG;
}

int log_cursor_read_back(struct log_cursor *cursor, const struct log_want *want,
			 struct audit_buffer *out)
{
	if (!cursor->compressed)
		return read_plain_back(cursor, out);
	while (cursor->frame > 0) {
		const struct audit_frame *frame = &cursor->index.frames[--cursor->frame];

		if (may_have(frame, want))
			return read_frame(cursor, frame, out);
	}
	return 0;
}

static int find_line_end(int fd, off_t size, off_t *ret_end)
{
	char chunk[4096];

	while (size > 0) {
		size_t n = size < (off_t)sizeof(chunk) ? (size_t)size : sizeof(chunk), got;
		const char *newline;
		int r = read_at(fd, chunk, n, size - (off_t)n, &got);

		if (r < 0)
			return r;
		newline = memrchr(chunk, '\n', got);
		size -= (off_t)n;
		if (newline) {
			*ret_end = size + (newline - chunk) + 1;
			return 0;
		}
	}
	*ret_end = 0;
	return 0;
}

int log_cursor_seek_end(struct log_cursor *cursor)
{
	off_t size = 0;
	int r;

	cursor->frame = cursor->index.count;
	if (cursor->compressed)
		return 0;
	r = size_of(cursor->fd, &size);
	return r < 0 ? r : find_line_end(cursor->fd, size, &cursor->offset);
}

int log_cursor_find_first(struct log_cursor *cursor, uint64_t *ret_first)
{
	OWNED_AUDIT_BUFFER struct audit_buffer block = { 0 };
	OWNED_AUDIT_FRAME struct audit_frame found = { 0 };
	struct log_cursor start = *cursor;
	int r = 1;

	start.offset = 0;
	start.frame = 0;
	while (r == 1 && !cursor->first && !found.first) {
		r = log_cursor_read(&start, NULL, &block);
		if (r == 1 && audit_frame_note(&found, block.data, block.length) < 0)
			return -ENOMEM;
	}
	if (r < 0)
		return r;
	if (!cursor->first)
		cursor->first = found.first;
	*ret_first = cursor->first;
	return 0;
}

int log_cursor_find_before(struct log_cursor *cursor, struct audit_chain *ret_before)
{
	OWNED_AUDIT_BUFFER struct audit_buffer block = { 0 };
	struct record_bytes rest, line;
	struct audit_link link;
	int r = log_cursor_read(cursor, NULL, &block);

	if (r <= 0)
		return r < 0 ? r : -ENOENT;
	rest = (struct record_bytes) { block.data, block.length };
	if (!log_block_first(&rest, &line) || !audit_link_parse(line.data, line.length, &link))
		return -EBADMSG;
	*ret_before = (struct audit_chain) { link.n - 1, link.prev };
	return 0;
}
