/* SPDX-License-Identifier: MPL-2.0 */
/* Plain system calls; whatever goes wrong ends the test. */
#include <fcntl.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "lib/audit/audit.h"
#include "lib/base/base.h"
#include "audit_fixture.h"

struct audit_fixture fixture_make(void)
{
	struct audit_fixture fixture = { .path = "/tmp/grith-audit.XXXXXX" };

	cr_assert_not_null(mkdtemp(fixture.path));
	fixture.directory = open(fixture.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cr_assert_geq(fixture.directory, 0);
	return fixture;
}

void fixture_remove(struct audit_fixture *fixture)
{
	char command[sizeof(fixture->path) + 8];

	snprintf(command, sizeof(command), "rm -rf %s", fixture->path);
	cr_assert_eq(system(command), 0);
	close(fixture->directory);
}

void fixture_lines(struct audit_fixture *fixture, struct text *out, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		uint64_t n = fixture->chain.n + 1;
		char time[JSON_TIME_SIZE];
		size_t start = out->length;

		json_format_time(n * 1000000000, time);
		cr_assert_eq(text_addf(out,
				       "{\"v\":1,\"time\":\"%s\",\"mono\":%llu,\"seq\":%llu,"
				       "\"session\":\"%s\",\"kind\":\"file\",\"op\":\"read\"}\n",
				       time, (unsigned long long)n, (unsigned long long)n,
				       n % 2 ? "aaaaaaaaaa" : "bbbbbbbbbb"),
			     0);
		cr_assert_eq(audit_chain_add(&fixture->chain, out, start), 0);
	}
}

static void write_with(const struct audit_fixture *fixture, const char *name, int flags,
		       const char *data, size_t length)
{
	int fd = openat(fixture->directory, name, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0600);

	cr_assert_geq(fd, 0);
	cr_assert_eq(write(fd, data, length), (ssize_t)length);
	close(fd);
}

void fixture_write(const struct audit_fixture *fixture, const char *name, const char *data,
		   size_t length)
{
	write_with(fixture, name, O_TRUNC, data, length);
}

void fixture_append(const struct audit_fixture *fixture, const char *name, const struct text *text)
{
	write_with(fixture, name, O_APPEND, text->data, text->length);
}

void fixture_read(const struct audit_fixture *fixture, const char *name, struct text *out)
{
	cr_assert_eq(small_file_read(fixture->directory, name, 1u << 30, out), 0, "%s", name);
}

/* Up to the end of the line that reaches `wanted` bytes. */
static size_t whole_lines(const char *data, size_t length, size_t wanted)
{
	const char *newline;

	if (length <= wanted)
		return length;
	newline = memchr(data + wanted - 1, '\n', length - wanted + 1);
	cr_assert_not_null(newline);
	return (size_t)(newline + 1 - data);
}

void fixture_pack(const struct audit_fixture *fixture, uint64_t first, size_t frame)
{
	OWNED_AUDIT_BUFFER struct audit_buffer packed = { 0 };
	OWNED_AUDIT_INDEX struct audit_index index = { 0 };
	OWNED_TEXT struct text text = { 0 }, frames = { 0 }, lines = { 0 };

	fixture_read(fixture, audit_segment_name(first, AUDIT_PLAIN).text, &text);
	for (size_t at = 0, n; at < text.length; at += n) {
		struct audit_frame entry = { .offset = frames.length };

		n = whole_lines(text.data + at, text.length - at, frame);
		cr_assert_eq(audit_pack(text.data + at, n, &packed), 0);
		cr_assert_eq(audit_frame_note(&entry, text.data + at, n), 0);
		entry.size = packed.length;
		cr_assert_eq(text_add(&frames, packed.data, packed.length), 0);
		cr_assert_eq(audit_index_add(&index, &entry), 0);
	}
	cr_assert_eq(audit_index_format(&index, &lines), 0);
	fixture_append(fixture, audit_segment_name(first, AUDIT_COMPRESSED).text, &frames);
	fixture_append(fixture, audit_segment_name(first, AUDIT_INDEX).text, &lines);
	cr_assert_eq(unlinkat(fixture->directory, audit_segment_name(first, AUDIT_PLAIN).text, 0),
		     0);
}
