/* SPDX-License-Identifier: MPL-2.0 */
/*
 * With `last` or `since` the place to start is looked for from the end of the file backward, a
 * chunk at a time; from there everything goes forward.
 */
#include <string.h>
#include <sys/stat.h>

#include "audit_log.h"
#include "lines_back.h"
#include "log_reader.h"
#include "proto.h"

#define CHUNK (64u << 10)

struct log_reader {
	int fd;
	struct log_request request;
	off_t end; /* of what was there at the start; less than 0: no end */

	bool searching; /* backward, for the place to start */
	struct lines_back back;
	uint64_t found; /* lines that match, while searching */

	off_t offset; /* of data[0] in the file */
	char *data;
	size_t length, size;
};

int log_reader_new(int fd, struct log_request *request, struct log_reader **ret_reader)
{
	CLEANUP(log_reader_freep) struct log_reader *reader = calloc(1, sizeof(*reader));
	OWNED_FD int owned = fd;
	struct stat st;

	if (!reader) {
		log_filter_free(&request->filter);
		return -ENOMEM;
	}
	reader->request = *request;
	request->filter = (struct log_filter) { 0 };
	reader->fd = TAKE_FD(owned);
	if (fstat(reader->fd, &st) < 0)
		return -errno;
	reader->end = request->follow ? -1 : st.st_size;
	if (request->last >= 0 || reader->request.filter.since[0]) {
		reader->searching = request->last != 0;
		reader->offset = reader->back.offset = st.st_size;
	}
	*ret_reader = TAKE_PTR(reader);
	return 0;
}

void log_reader_free(struct log_reader *reader)
{
	if (!reader)
		return;
	cleanup_close(&reader->fd);
	log_filter_free(&reader->request.filter);
	lines_back_free(&reader->back);
	free(reader->data);
	free(reader);
}

static bool wanted(const struct log_reader *reader, const struct log_head *head, const char *line,
		   size_t length)
{
	const struct log_request *request = &reader->request;

	return log_filter_matches(&request->filter, head, line, length) &&
	       request->may(request->arg, head->session);
}

static int reserve(struct log_reader *reader, size_t size)
{
	char *larger;

	if (reader->size >= size)
		return 0;
	larger = realloc(reader->data, size);
	if (!larger)
		return -ENOMEM;
	reader->data = larger;
	reader->size = size;
	return 0;
}

/* Whether the search ends with this line; then *ret_start is where reading starts. */
static bool is_start(struct log_reader *reader, off_t at, const char *line, size_t length,
		     off_t *ret_start)
{
	const struct log_request *request = &reader->request;
	struct log_head head;

	if (!log_head_parse(line, length, &head))
		return false;
	if (request->filter.since[0] && strcmp(head.time, request->filter.since) < 0) {
		*ret_start = at + length + 1;
		return true;
	}
	if (request->last > 0 && wanted(reader, &head, line, length) &&
	    ++reader->found == (uint64_t)request->last) {
		*ret_start = at;
		return true;
	}
	return false;
}

static int search(struct log_reader *reader)
{
	struct lines_back *back = &reader->back;
	int r = lines_back_read(back, reader->fd, AUDIT_LINE_MAX);
	const char *line;
	size_t length;
	off_t at;

	if (r < 0)
		return r;
	while (reader->searching && lines_back_next(back, &line, &length, &at))
		if (is_start(reader, at, line, length, &reader->offset))
			reader->searching = false;
	if (reader->searching && r == 0) {
		reader->offset = 0;
		reader->searching = false;
	}
	if (!reader->searching)
		lines_back_free(back);
	return 0;
}

static int emit(struct text *out, const char *line, size_t length)
{
	size_t before = out->length;
	int r = text_addf(out, "{\"v\":%d,\"event\":", PROTO_VERSION);

	if (r == 0)
		r = text_add(out, line, length);
	if (r == 0)
		r = text_add(out, "}\n", 2);
	if (r < 0 && out->data)
		out->data[out->length = before] = '\0';
	return r;
}

/* All whole lines of data; what is left over moves to its start. */
static int emit_lines(struct log_reader *reader, struct text *out)
{
	size_t at = 0;
	int r = 0;

	while (r == 0) {
		const char *line = reader->data + at;
		const char *newline = memchr(line, '\n', reader->length - at);
		struct log_head head;

		if (!newline)
			break;
		if (log_head_parse(line, newline - line, &head) &&
		    wanted(reader, &head, line, newline - line))
			r = emit(out, line, newline - line);
		if (r == 0)
			at = newline + 1 - reader->data;
	}
	memmove(reader->data, reader->data + at, reader->length - at);
	reader->offset += at;
	reader->length -= at;
	return r;
}

static int step_forward(struct log_reader *reader, struct text *out, bool *ret_all)
{
	off_t from = reader->offset + reader->length;
	size_t n = CHUNK;
	ssize_t got;
	int r;

	if (reader->end >= 0 && reader->end - from < (off_t)n)
		n = reader->end > from ? reader->end - from : 0;
	if (reader->length > AUDIT_LINE_MAX) { /* no line: leave it out */
		reader->offset = from;
		reader->length = 0;
	}
	r = reserve(reader, reader->length + CHUNK);
	if (r < 0)
		return r;
	got = pread(reader->fd, reader->data + reader->length, n, from);
	if (got < 0)
		return -errno;
	reader->length += got;
	r = emit_lines(reader, out);
	if (r == 0)
		*ret_all = got == 0;
	return r;
}

int log_reader_step(struct log_reader *reader, struct text *out, enum log_step *ret_step)
{
	bool all = false;
	int r = reader->searching ? search(reader) : step_forward(reader, out, &all);

	if (r < 0)
		return r;
	if (!all)
		*ret_step = LOG_MORE;
	else
		*ret_step = reader->end < 0 ? LOG_WAIT : LOG_END;
	return 0;
}
