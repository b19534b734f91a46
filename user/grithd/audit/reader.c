/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A line of the log is an event as it stands; nothing is taken apart to send it.
 */
#include <fcntl.h>

#include "lib/proto/proto.h"
#include "reader.h"

struct log_reader {
	struct log_query *query;
	uint64_t damaged; /* places that the client was told of */
};

int log_reader_new(const char *directory, struct log_question *question,
		   struct log_reader **ret_reader)
{
	CLEANUP(log_reader_freep) struct log_reader *reader = calloc(1, sizeof(*reader));
	OWNED_LOG_FILTER struct log_filter filter = question->filter;
	OWNED_FD int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int r;

	question->filter = (struct log_filter) { 0 };
	if (!reader || fd < 0)
		return reader ? -errno : -ENOMEM;
	question->filter = filter;
	filter = (struct log_filter) { 0 };
	r = log_query_new(TAKE_FD(fd), question, &reader->query);
	if (r < 0)
		return r;
	*ret_reader = TAKE_PTR(reader);
	return 0;
}

void log_reader_free(struct log_reader *reader)
{
	if (!reader)
		return;
	log_query_free(reader->query);
	free(reader);
}

static int add_event(struct text *out, const char *line, size_t length)
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

static int tell_damaged(struct log_reader *reader, struct text *out)
{
	uint64_t damaged = log_query_damaged(reader->query);
	int r;

	if (damaged == reader->damaged)
		return 0;
	r = text_addf(out, "{\"v\":%d,\"damaged\":%llu}\n", PROTO_VERSION,
		      (unsigned long long)(damaged - reader->damaged));
	if (r == 0)
		reader->damaged = damaged;
	return r;
}

int log_reader_step(struct log_reader *reader, struct text *out, enum log_step *ret_step)
{
	enum log_step step;
	const char *line;
	size_t length;
	int r = log_query_step(reader->query, &step);

	while (r == 0 && log_query_line(reader->query, &line, &length))
		r = add_event(out, line, length);
	if (r == 0)
		r = tell_damaged(reader, out);
	if (r == 0)
		*ret_step = step;
	return r;
}
