/* SPDX-License-Identifier: MPL-2.0 */
/* Lines that name each other, the entries about the log itself, its head and its index. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "lib/audit/audit.h"
#include "audit_fixture.h"

Test(audit_chain, lines_name_each_other)
{
	OWNED_TEXT struct text text = { 0 };
	struct audit_chain chain = { .n = 98 };
	struct audit_link link;
	struct audit_hash hash;
	size_t second;

	cr_assert_eq(text_add(&text, "{\"a\":1}\n", 8), 0);
	cr_assert_eq(audit_chain_add(&chain, &text, 0), 0);
	second = text.length;
	cr_assert_eq(text_add(&text, "{\"b\":2}\n", 8), 0);
	cr_assert_eq(audit_chain_add(&chain, &text, second), 0);
	cr_assert_eq(memcmp(text.data, "{\"a\":1,\"n\":99,\"prev\":\"0000", 26), 0);
	cr_assert(audit_link_parse(text.data + second, text.length - second - 1, &link));
	cr_assert_eq(link.n, 100);
	audit_hash_line(text.data, second - 1, &hash);
	cr_assert(audit_hash_equal(&link.prev, &hash));
}

/* BLAKE2b with 32 bytes of "abc", as other programs compute it. */
Test(audit_chain, the_hash_is_what_it_is_called)
{
	struct audit_hash hash;
	char hex[AUDIT_HEX_BYTES + 1];

	audit_hash_line("abc", 3, &hash);
	audit_hash_format(&hash, hex);
	cr_assert_str_eq(hex, "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
}

Test(audit_chain, one_spelling_only)
{
#define HEX "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	static const char *const wrong[] = {
		"",
		"\"}",
		"{\"a\":1}",
		"{\"a\":1,\"n\":01,\"prev\":\"" HEX "\"}",
		"{\"a\":1,\"n\":0,\"prev\":\"" HEX "\"}",
		"{\"a\":1,\"n\":,\"prev\":\"" HEX "\"}",
		"{\"a\":1,\"n\":99999999999999999999,\"prev\":\"" HEX "\"}",
		"{\"a\":1,\"n\":1,\"prev\":\"0" HEX "\"}",
		"{\"a\":1,\"n\":1,\"prev\":\"F" HEX "\"}",
		"{\"a\":1,\"n\":1,\"prev\":\"" HEX "\"} ",
		"{\"a\":1,\"n\": 1,\"prev\":\"" HEX "\"}",
	};
	static const char right[] = "{\"a\":1,\"n\":7,\"prev\":\"" HEX "\"}";
	struct audit_link link;

	cr_assert(audit_link_parse(right, strlen(right), &link));
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		cr_assert_not(audit_link_parse(wrong[i], strlen(wrong[i]), &link), "%s", wrong[i]);
}

Test(audit_entry, what_an_agent_says_is_no_checkpoint)
{
	static const char line[] =
		"{\"v\":1,\"time\":\"2026-01-02T03:04:05.123456789Z\",\"mono\":1,"
		"\"seq\":1,\"session\":\"abcdefghij\",\"kind\":\"file\","
		"\"path\":\"x\\\"kind\\\":\\\"checkpoint\\\",\"}";
	struct audit_entry entry;

	cr_assert(audit_entry_parse(line, strlen(line), &entry));
	cr_assert_eq(entry.kind, AUDIT_NO_ENTRY);
}

Test(audit_head, the_newest_whole_slot_counts)
{
	struct audit_fixture f = fixture_make();
	struct audit_chain last = { .n = 7 }, read;
	struct audit_head head = AUDIT_HEAD_CLOSED;
	struct audit_key key, others;
	bool made;
	int fd;

	cr_assert_eq(audit_key_init(), 0);
	cr_assert_eq(audit_key_open(f.directory, &key, &made), 0);
	cr_assert(made);
	cr_assert_eq(audit_head_read(f.directory, &key, &read), -ENOENT);
	cr_assert_eq(audit_head_open(f.directory, &key, &head), 0);
	cr_assert_eq(audit_head_write(&head, &key, &last), 0);
	last.n = 8;
	cr_assert_eq(audit_head_write(&head, &key, &last), 0);
	cr_assert_eq(audit_head_read(f.directory, &key, &read), 0);
	cr_assert_eq(read.n, 8);
	audit_head_close(&head);

	fd = openat(f.directory, AUDIT_HEAD_FILE, O_WRONLY | O_CLOEXEC);
	cr_assert_eq(pwrite(fd, "9", 1, 256 + 38), 1); /* of the second number */
	cr_assert_eq(audit_head_read(f.directory, &key, &read), 0);
	cr_assert_eq(read.n, 7);
	cr_assert_eq(pwrite(fd, "9", 1, 38), 1);
	cr_assert_eq(audit_head_read(f.directory, &key, &read), -EBADMSG);
	close(fd);

	others = key;
	others.mac[0] ^= 1;
	cr_assert_eq(audit_head_open(f.directory, &key, &head), 0);
	cr_assert_eq(audit_head_write(&head, &key, &last), 0);
	cr_assert_eq(audit_head_read(f.directory, &others, &read), -EBADMSG);
	audit_head_close(&head);
	fixture_remove(&f);
}

Test(audit_index, is_read_as_it_was_written)
{
	OWNED_AUDIT_INDEX struct audit_index index = { 0 }, read = { 0 };
	struct audit_fixture f = fixture_make();
	struct audit_frame frame = { .size = 10 };
	OWNED_TEXT struct text lines = { 0 }, text = { 0 };

	fixture_lines(&f, &lines, 5);
	cr_assert_eq(audit_frame_note(&frame, lines.data, lines.length), 0);
	cr_assert_eq(frame.first, 1);
	cr_assert_eq(frame.last, 5);
	cr_assert(audit_frame_may_have(&frame, "aaaaaaaaaa", "1970-01-01T00:00:05.000000000Z"));
	cr_assert_not(audit_frame_may_have(&frame, "aaaaaaaaaa", "1970-01-01T00:00:05.000000001Z"));
	cr_assert_not(audit_frame_may_have(&frame, "cccccccccc", ""));
	cr_assert_eq(audit_index_add(&index, &frame), 0);
	cr_assert_eq(audit_index_format(&index, &text), 0);
	cr_assert_eq(audit_index_parse(text.data, text.length, &read), 0);
	cr_assert_eq(read.count, 1);
	cr_assert(audit_frame_equal(&read.frames[0], &index.frames[0]));
	for (size_t i = 0; i < text.length; i++) {
		struct audit_index damaged;

		text.data[i] ^= 4;
		cr_assert_eq(audit_index_parse(text.data, text.length, &damaged), -EBADMSG);
		text.data[i] ^= 4;
	}
	fixture_remove(&f);
}
