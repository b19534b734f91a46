/* SPDX-License-Identifier: MPL-2.0 */
/*
 * An audit log that an earlier grithd wrote (tests/daemon/earlier, by commit cd83bba): its key, its
 * head, a sealed segment that is compressed, the index of that, and the file that was being written
 * are all read and verified. None of them may be changed to make this pass.
 */
#include <fcntl.h>

#include <criterion/criterion.h>

#include "lib/audit/audit.h"

#define LINES 167
#define SESSION "bk7z7c9xx4"

static int log_fd, state_fd;

static void set_up(void)
{
	cr_assert_eq(audit_key_init(), 0);
	log_fd = open("tests/daemon/earlier/log", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	state_fd = open("tests/daemon/earlier/state", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cr_assert(log_fd >= 0 && state_fd >= 0);
}

static void tear_down(void)
{
	close(log_fd);
	close(state_fd);
}

TestSuite(audit_earlier, .init = set_up, .fini = tear_down);

Test(audit_earlier, is_whole_up_to_its_head)
{
	struct audit_verify found = { 0 };
	struct audit_key secret, public;
	const struct audit_range all = { 0 };

	cr_assert_eq(audit_key_read_secret(state_fd, AUDIT_KEY_FILE, &secret), 0);
	cr_assert_eq(audit_key_read_public(state_fd, AUDIT_PUBLIC_FILE, &public), 0);
	cr_assert_str_eq(secret.id, public.id);
	cr_assert_eq(audit_head_read(state_fd, &secret, &found.head), 0);
	cr_expect_eq(found.head.n, LINES);
	found.key = &public;
	cr_assert_eq(audit_verify_directory(&found, log_fd, &all), 0);
	cr_expect_eq(found.fault, AUDIT_WHOLE, "%s", found.detail);
	cr_expect_eq(found.first, 1);
	cr_expect_eq(found.last.n, LINES);
	cr_expect_eq(found.checkpoints, 2);
}

Test(audit_earlier, key_signs_as_before)
{
	static const char text[] = "grith-audit 1 checkpoint";
	uint8_t signature[AUDIT_SIGNATURE_BYTES];
	struct audit_key secret, public;

	cr_assert_eq(audit_key_read_secret(state_fd, AUDIT_KEY_FILE, &secret), 0);
	cr_assert_eq(audit_key_read_public(state_fd, AUDIT_PUBLIC_FILE, &public), 0);
	audit_key_sign(&secret, text, strlen(text), signature);
	cr_expect(audit_key_verify(&public, text, strlen(text), signature));
}

Test(audit_earlier, index_is_spelled_the_same)
{
	OWNED_TEXT struct text text = { 0 }, again = { 0 };
	OWNED_AUDIT_INDEX struct audit_index index = { 0 };

	cr_assert_eq(small_file_read(log_fd, audit_segment_name(1, AUDIT_INDEX).text, 4096, &text),
		     0);
	cr_assert_eq(audit_index_parse(text.data, text.length, &index), 0);
	cr_assert_eq(index.count, 1);
	cr_expect(audit_frame_may_have(&index.frames[0], SESSION, ""));
	cr_expect_not(audit_frame_may_have(&index.frames[0], "aaaaaaaaaa", ""));
	cr_assert_eq(audit_index_format(&index, &again), 0);
	cr_expect_str_eq(again.data, text.data);
}

/* All lines from both files, forward and back, and the chain's next line is the one after. */
Test(audit_earlier, lines_are_read_from_both_ends)
{
	CLEANUP(log_files_freep) struct log_files *files = NULL;
	struct record_bytes block, line;
	struct audit_chain last;
	struct audit_link link;
	uint64_t count = 0;

	cr_assert_eq(log_files_open(log_fd, NULL, &files), 0);
	while (log_files_read(files, &block.data, &block.length) == 1)
		while (log_block_first(&block, &line)) {
			cr_assert(audit_link_parse(line.data, line.length, &link));
			cr_assert_eq(link.n, ++count);
		}
	cr_expect_eq(count, LINES);
	cr_assert_eq(log_files_seek_end(files), 0);
	while (log_files_read_back(files, &block.data, &block.length) == 1)
		while (log_block_last(&block, &line)) {
			cr_assert(audit_link_parse(line.data, line.length, &link));
			cr_assert_eq(link.n, count--);
		}
	cr_expect_eq(count, 0);
	cr_assert_eq(log_files_find_last(log_fd, &last), 0);
	cr_expect_eq(last.n, LINES);
}
