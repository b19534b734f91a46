/* SPDX-License-Identifier: MPL-2.0 */
/* Reading over all files: each line once and in order, whatever happens to the files meanwhile. */
#include <fcntl.h>
#include <string.h>

#include <criterion/criterion.h>

#include "lib/audit/audit.h"
#include "audit_fixture.h"

static struct audit_fixture f;

static void set_up(void)
{
	f = fixture_make();
}

static void tear_down(void)
{
	fixture_remove(&f);
}

TestSuite(log_files, .init = set_up, .fini = tear_down);

static struct log_files *open_files(const char *session, uint64_t since)
{
	struct log_want want = { 0 };
	struct log_files *files;

	strcpy(want.session, session);
	if (since)
		json_format_time(since, want.since);
	cr_assert_eq(log_files_open(f.directory, &want, &files), 0);
	return files;
}

static void append(unsigned int count)
{
	OWNED_TEXT struct text text = { 0 };

	fixture_lines(&f, &text, count);
	fixture_append(&f, AUDIT_FILE, &text);
}

static void seal(uint64_t first)
{
	cr_assert_eq(renameat(f.directory, AUDIT_FILE, f.directory,
			      audit_segment_name(first, AUDIT_PLAIN).text),
		     0);
}

/* Checks that the numbers go up by one from `*n`, which becomes the last one. */
static void expect_block(const char *block, size_t length, uint64_t *n)
{
	const char *end = block + length, *newline;
	struct audit_link link;

	cr_assert_eq(end[-1], '\n');
	for (; block < end; block = newline + 1) {
		newline = memchr(block, '\n', end - block);
		cr_assert(audit_link_parse(block, newline - block, &link));
		cr_assert_eq(link.n, ++*n);
	}
}

static void expect_ahead(struct log_files *files, uint64_t *n, uint64_t until)
{
	const char *block;
	size_t length;
	int r;

	while ((r = log_files_read(files, &block, &length)) == 1)
		expect_block(block, length, n);
	cr_assert_eq(r, 0);
	cr_assert_eq(*n, until, "%d instead of %d", (int)*n, (int)until);
}

/* Number of the first line of a block. */
static uint64_t first_of(const char *block, size_t length)
{
	const char *newline = memchr(block, '\n', length);
	struct audit_link link;

	cr_assert(audit_link_parse(block, newline - block, &link));
	return link.n;
}

static void expect_back(struct log_files *files, uint64_t from, uint64_t until)
{
	const char *block;
	size_t length;
	int r;

	while ((r = log_files_read_back(files, &block, &length)) == 1) {
		uint64_t first = first_of(block, length), n = first - 1;

		expect_block(block, length, &n);
		cr_assert_eq(n, from);
		from = first - 1;
	}
	cr_assert_eq(r, 0);
	cr_assert_eq(from, until);
}

Test(log_files, nothing_and_then_something)
{
	struct log_files *files = open_files("", 0);
	uint64_t n = 0;

	expect_ahead(files, &n, 0);
	append(3);
	expect_ahead(files, &n, 3);
	log_files_free(files);
}

/* 3 segments, one of them compressed, and what is written now: about 4 MB. */
static void make_log(void)
{
	append(7000);
	seal(1);
	append(7000);
	seal(7001);
	append(10);
	seal(14001);
	append(5000);
	fixture_pack(&f, 1, 200000);
}

Test(log_files, forward_and_back)
{
	struct log_files *files = open_files("", 0);
	uint64_t n = 0;

	make_log();
	expect_ahead(files, &n, 19010);
	cr_assert_eq(log_files_seek_end(files), 0);
	expect_back(files, 19010, 0);
	append(2);
	expect_ahead(files, &n, 19012);
	log_files_free(files);
}

/* The file is rotated between two reads, twice, and compressed; and once more while going back. */
Test(log_files, rotation_while_reading)
{
	struct log_files *files = open_files("", 0), *back = open_files("", 0);
	uint64_t n = 0;

	append(10);
	expect_ahead(files, &n, 10);
	cr_assert_eq(log_files_seek_end(back), 0);
	append(5);
	seal(1);
	append(7);
	seal(16);
	append(1);
	fixture_pack(&f, 1, 100);
	fixture_pack(&f, 16, 100);
	expect_back(back, 10, 0);
	expect_ahead(files, &n, 23);
	n = 10;
	expect_ahead(back, &n, 23);

	seal(23);
	expect_ahead(files, &n, 23);
	append(1);
	n = 23;
	expect_ahead(files, &n, 24);
	log_files_free(files);
	log_files_free(back);
}

Test(log_files, removed_segments_are_passed_over)
{
	struct log_files *files = open_files("", 0);
	uint64_t n = 7000;

	make_log();
	cr_assert_eq(unlinkat(f.directory, audit_segment_name(1, AUDIT_COMPRESSED).text, 0), 0);
	expect_ahead(files, &n, 19010);
	log_files_free(files);
}

Test(log_files, a_line_without_its_end_waits)
{
	struct log_files *files = open_files("", 0);
	OWNED_TEXT struct text text = { 0 };
	uint64_t n = 0;

	fixture_lines(&f, &text, 2);
	text.length -= 10;
	fixture_append(&f, AUDIT_FILE, &text);
	expect_ahead(files, &n, 1);
	memmove(text.data, text.data + text.length, 10);
	text.length = 10;
	fixture_append(&f, AUDIT_FILE, &text);
	expect_ahead(files, &n, 2);
	log_files_free(files);
}

/* Frames without the session, and from before the time, are not even opened. */
Test(log_files, indices_are_used)
{
	struct log_files *files = open_files("cccccccccc", 0),
			 *later = open_files("", 6900000000000);
	const char *block;
	size_t length;

	make_log();
	cr_assert_eq(log_files_read(files, &block, &length), 1);
	cr_assert_eq(first_of(block, length), 7001);
	cr_assert_eq(log_files_read(later, &block, &length), 1);
	cr_assert_gt(first_of(block, length), 5000);
	cr_assert_leq(first_of(block, length), 6900);
	log_files_free(files);
	log_files_free(later);
}

/* One frame of the compressed segment is overwritten: only its lines are missing. */
Test(log_files, damage_is_said_and_passed_over)
{
	struct log_files *files = open_files("", 0);
	struct audit_name name = audit_segment_name(1, AUDIT_COMPRESSED);
	uint64_t n = 0, missing = 0;
	const char *block;
	size_t length;
	int r, fd, damaged = 0;

	make_log();
	fd = openat(f.directory, name.text, O_WRONLY | O_CLOEXEC);
	cr_assert_eq(pwrite(fd, "damage", 6, 100), 6);
	close(fd);
	while ((r = log_files_read(files, &block, &length)) != 0) {
		damaged += r == -EBADMSG;
		cr_assert(r == 1 || r == -EBADMSG);
		if (r < 0)
			continue;
		missing += first_of(block, length) - n - 1;
		n = first_of(block, length) - 1;
		expect_block(block, length, &n);
	}
	cr_assert_eq(damaged, 1);
	cr_assert_eq(n, 19010);
	cr_assert(missing > 0 && missing < 2000);
	log_files_free(files);
}

Test(log_files, without_its_index_a_segment_is_damaged)
{
	struct log_files *files = open_files("", 0);
	uint64_t n = 7000;
	const char *block;
	size_t length;

	make_log();
	fixture_write(&f, audit_segment_name(1, AUDIT_INDEX).text, "grith-audit-index 1 0\n", 22);
	cr_assert_eq(log_files_read(files, &block, &length), -EBADMSG);
	expect_ahead(files, &n, 19010);
	log_files_free(files);
}
