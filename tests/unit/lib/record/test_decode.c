/* SPDX-License-Identifier: MPL-2.0 */
/* Records as the kernel makes them are read, and nothing else is: every truncation, wild bytes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "lib/record/record.h"

#define BUFFER_SIZE 8192

/* A record in a buffer, with `extra` bytes behind its fixed part. */
static size_t make(char *buffer, uint16_t kind, size_t fixed, const char *extra, size_t length)
{
	struct grith_record head = {
		.version = GRITH_ABI_VERSION,
		.kind = kind,
		.length = fixed + length,
		.time = 5,
		.session = 7,
		.sequence = 9,
		.pid = 11,
		.op = GRITH_OP_READ,
		.verdict = GRITH_DENY,
		.error = -EACCES,
		.comm = "0123456789abcdef", /* no NUL */
	};

	memset(buffer, 0, fixed);
	memcpy(buffer, &head, sizeof(head));
	memcpy(buffer + fixed, extra, length);
	return head.length;
}

static size_t make_path(char *buffer, const char *path, const char *second)
{
	struct grith_path_record *record = (struct grith_path_record *)buffer;
	size_t length = strlen(path), all = length + strlen(second);
	char both[BUFFER_SIZE];

	memcpy(both, path, length);
	memcpy(both + length, second, all - length);
	make(buffer, GRITH_KIND_PATH, sizeof(*record), both, all);
	record->inode = 77;
	record->device = 8 << 20 | 1;
	record->path_at = sizeof(*record);
	record->path_length = length;
	record->second_at = sizeof(*record) + length;
	record->second_length = all - length;
	return record->head.length;
}

Test(record, a_path_record_is_read)
{
	char buffer[BUFFER_SIZE] __attribute__((aligned(8)));
	size_t size = make_path(buffer, "/etc/shadow", "/tmp/x");
	struct record record;

	cr_assert_eq(record_decode(buffer, size, &record), 0);
	cr_assert_eq(record.head.session, 7);
	cr_assert_eq(record.path.length, 11);
	cr_assert_arr_eq(record.path.data, "/etc/shadow", 11);
	cr_assert_eq(record.second.length, 6);
	cr_assert_arr_eq(record.second.data, "/tmp/x", 6);
	cr_assert_eq(record.inode, 77);
	cr_assert_str_eq(record.comm, "0123456789abcdef");
}

Test(record, it_needs_no_alignment)
{
	char buffer[BUFFER_SIZE] __attribute__((aligned(8))), moved[BUFFER_SIZE];
	size_t size = make_path(buffer, "/etc/shadow", "");
	struct record record;

	memcpy(moved + 1, buffer, size);
	cr_assert_eq(record_decode(moved + 1, size, &record), 0);
	cr_assert_eq(record.path.length, 11);
	cr_assert_eq(record.second.length, 0);
}

Test(record, a_net_record_is_read)
{
	char buffer[BUFFER_SIZE] __attribute__((aligned(8)));
	struct grith_net_record *net = (struct grith_net_record *)buffer;
	size_t size = make(buffer, GRITH_KIND_NET, sizeof(*net), "", 0);
	struct record record;

	net->family = 2;
	net->type = 1;
	net->port = 443;
	net->address[15] = 1;
	cr_assert_eq(record_decode(buffer, size, &record), 0);
	cr_assert_eq(record.family, 2);
	cr_assert_eq(record.port, 443);
	cr_assert_eq(record.address[15], 1);
}

Test(record, a_process_record_is_read)
{
	char buffer[BUFFER_SIZE] __attribute__((aligned(8)));
	struct grith_process_record *process = (struct grith_process_record *)buffer;
	size_t size = make(buffer, GRITH_KIND_PROCESS, sizeof(*process), "", 0);
	struct record record;

	process->target = 1234;
	memcpy(process->target_comm, "gnome-keyring-da", 16);
	cr_assert_eq(record_decode(buffer, size, &record), 0);
	cr_assert_eq(record.target, 1234);
	cr_assert_str_eq(record.target_comm, "gnome-keyring-da");
}

Test(record, an_exec_record_is_read)
{
	char buffer[BUFFER_SIZE] __attribute__((aligned(8)));
	struct grith_exec_record *exec = (struct grith_exec_record *)buffer;
	size_t size = make(buffer, GRITH_KIND_EXEC, sizeof(*exec), "/bin/ls\0ls\0-l", 14);
	struct record record;

	exec->path_at = sizeof(*exec);
	exec->path_length = 7;
	exec->argv_at = sizeof(*exec) + 8;
	exec->argv_length = 6;
	exec->argv_total = 6;
	exec->origin.ancestors[1] = 12;
	exec->origin.streams[2] = (struct grith_stream) { 77, 13, 0010000, 0 };
	cr_assert_eq(record_decode(buffer, size, &record), 0);
	cr_assert_eq(record.path.length, 7);
	cr_assert_eq(record.origin.ancestors[1], 12);
	cr_assert_eq(record.origin.streams[1].inode, 0);
	cr_assert_eq(record.origin.streams[2].inode, 77);
	cr_assert_eq(record.origin.streams[2].type, 0010000);
	cr_assert_eq(record.argv.length, 6);
	cr_assert_arr_eq(record.argv.data, "ls\0-l", 6);
}

Test(record, another_version_is_told_apart)
{
	char buffer[BUFFER_SIZE] __attribute__((aligned(8)));
	size_t size = make_path(buffer, "/x", "");
	struct record record;

	((struct grith_record *)buffer)->version = GRITH_ABI_VERSION + 1;
	cr_assert_eq(record_decode(buffer, size, &record), -EPROTO);
}

Test(record, every_truncation_is_refused)
{
	char buffer[BUFFER_SIZE] __attribute__((aligned(8)));
	size_t size = make_path(buffer, "/etc/shadow", "/tmp/x");
	struct record record;

	for (size_t i = 0; i < size; i++) {
		/* On the heap, so that reading beyond it is seen. */
		char *cut = malloc(i ? i : 1);

		memcpy(cut, buffer, i);
		cr_assert_eq(record_decode(cut, i, &record), -EBADMSG, "%zu of %zu bytes", i, size);
		free(cut);
	}
}

Test(record, a_length_that_says_less_than_there_is_bounds_everything)
{
	char buffer[BUFFER_SIZE] __attribute__((aligned(8)));
	size_t size = make_path(buffer, "/etc/shadow", "/tmp/x");
	struct record record;

	for (size_t i = 0; i < size; i++) {
		((struct grith_record *)buffer)->length = i;
		cr_assert_eq(record_decode(buffer, size, &record), -EBADMSG, "length %zu", i);
	}
}

Test(record, spans_outside_of_the_record_are_refused)
{
	static const struct {
		uint16_t at, length;
	} cases[] = {
		{ 0, 1 },     { 103, 1 },	{ 104, 12 },	{ 115, 1 },
		{ 65535, 1 }, { 65535, 65535 }, { 105, 65535 },
	};
	char buffer[BUFFER_SIZE] __attribute__((aligned(8)));
	struct grith_path_record *path = (struct grith_path_record *)buffer;
	struct record record;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t size = make_path(buffer, "/etc/shadow", "");

		path->path_at = cases[i].at;
		path->path_length = cases[i].length;
		cr_assert_eq(record_decode(buffer, size, &record), -EBADMSG, "case %zu", i);
		size = make_path(buffer, "/etc/shadow", "");
		path->second_at = cases[i].at;
		path->second_length = cases[i].length;
		cr_assert_eq(record_decode(buffer, size, &record), -EBADMSG, "second, case %zu", i);
	}
}

Test(record, a_nul_is_in_abstract_names_only)
{
	char buffer[BUFFER_SIZE] __attribute__((aligned(8)));
	size_t size = make_path(buffer, "@abc", "");
	struct record record;

	buffer[sizeof(struct grith_path_record) + 2] = '\0';
	cr_assert_eq(record_decode(buffer, size, &record), -EBADMSG);
	((struct grith_record *)buffer)->flags = GRITH_RECORD_ABSTRACT;
	cr_assert_eq(record_decode(buffer, size, &record), 0);
}

Test(record, numbers_that_no_table_has_are_refused)
{
	char buffer[BUFFER_SIZE] __attribute__((aligned(8)));
	struct grith_record *head = (struct grith_record *)buffer;
	size_t size = make_path(buffer, "/x", "");
	struct record record;

	head->op = GRITH_OPS;
	cr_assert_eq(record_decode(buffer, size, &record), -EBADMSG);
	head->op = GRITH_OP_READ;
	head->verdict = GRITH_VERDICTS;
	cr_assert_eq(record_decode(buffer, size, &record), -EBADMSG);
	head->verdict = GRITH_ALLOW;
	head->kind = GRITH_KINDS;
	cr_assert_eq(record_decode(buffer, size, &record), -EBADMSG);
	head->kind = GRITH_KIND_PATH;
	head->error = 1;
	cr_assert_eq(record_decode(buffer, size, &record), -EBADMSG);
	head->error = -4096;
	cr_assert_eq(record_decode(buffer, size, &record), -EBADMSG);
}

/* What is accepted lies inside of what was given. */
static void check_span(struct record_bytes span, const char *data, size_t size)
{
	if (!span.length)
		return;
	cr_assert(span.data >= data && span.length <= size &&
		  (size_t)(span.data - data) <= size - span.length);
}

Test(record, wild_bytes_never_lead_outside)
{
	char buffer[BUFFER_SIZE] __attribute__((aligned(8)));
	unsigned int accepted = 0;

	srandom(1);
	for (int round = 0; round < 200000; round++) {
		size_t size = make_path(buffer, "/etc/shadow", "/tmp/x");
		struct record record;
		char *copy;

		for (long flips = random() % 4; flips >= 0; flips--)
			buffer[random() % size] = random();
		copy = malloc(size);
		memcpy(copy, buffer, size);
		if (record_decode(copy, size, &record) == 0) {
			accepted++;
			check_span(record.path, copy, size);
			check_span(record.second, copy, size);
			check_span(record.argv, copy, size);
		}
		free(copy);
	}
	cr_assert_gt(accepted, 1000); /* or the test tests nothing */
}
