/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Every way of tampering with the log is found, at the right line, and called by its name. The log
 * has three segments, of which the second one is compressed, and a file that is being written:
 * lines 1-20, 21-40, 41-60 and 61-70; the last of each segment is a checkpoint.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "lib/audit/audit.h"
#include "audit_fixture.h"

#define PER_FILE 20
#define LAST 70

static struct audit_fixture f;
static struct audit_key key;
static struct audit_verify found;

static void add_checkpoint(struct text *text)
{
	struct event_head now = { (f.chain.n + 1) * 1000000000, 1, NULL };
	size_t start = text->length;

	cr_assert_eq(audit_entry_checkpoint(text, &now, &f.chain, &key), 0);
	cr_assert_eq(audit_chain_add(&f.chain, text, start), 0);
}

static void write_segment(uint64_t first)
{
	OWNED_TEXT struct text text = { 0 };

	fixture_lines(&f, &text, PER_FILE - 1);
	add_checkpoint(&text);
	fixture_append(&f, audit_segment_name(first, AUDIT_PLAIN).text, &text);
}

static void set_up(void)
{
	OWNED_TEXT struct text text = { 0 };
	bool made;

	cr_assert_eq(audit_key_init(), 0);
	f = fixture_make();
	cr_assert_eq(audit_key_open(f.directory, &key, &made), 0);
	for (uint64_t first = 1; first <= 41; first += PER_FILE)
		write_segment(first);
	fixture_pack(&f, 21, 1000);
	fixture_lines(&f, &text, 5);
	add_checkpoint(&text);
	fixture_lines(&f, &text, LAST - 66);
	fixture_append(&f, AUDIT_FILE, &text);
	cr_assert_eq(f.chain.n, LAST);
	found = (struct audit_verify) { .key = &key, .head = f.chain };
}

static void tear_down(void)
{
	fixture_remove(&f);
}

TestSuite(audit_verify, .init = set_up, .fini = tear_down);

static void verify(void)
{
	struct audit_range range = { 0 };

	cr_assert_eq(audit_verify_directory(&found, f.directory, &range), 0);
}

static void expect(enum audit_fault fault, const char *file, uint64_t line, uint64_t n)
{
	verify();
	cr_assert_eq(found.fault, fault, "%s: %s", audit_fault_name(found.fault), found.detail);
	cr_assert_str_eq(found.at.file, file);
	cr_assert_eq(found.at.line, line, "line %d: %s", (int)found.at.line, found.detail);
	cr_assert_eq(found.at.n, n, "n %d: %s", (int)found.at.n, found.detail);
}

/* Where line `i` of the text begins, from 1. */
static char *line_of(const struct text *text, unsigned int i)
{
	char *line = text->data;

	while (--i)
		line = strchr(line, '\n') + 1;
	return line;
}

static size_t length_of(const char *line)
{
	return strchr(line, '\n') + 1 - line;
}

static const char *segment(uint64_t first)
{
	static struct audit_name name;

	name = audit_segment_name(first, AUDIT_PLAIN);
	return name.text;
}

/* Puts bytes in the place of lines `i` to `i` + `count` - 1 of a file. */
static void replace(const char *file, unsigned int i, unsigned int count, const char *bytes,
		    size_t length)
{
	OWNED_TEXT struct text text = { 0 }, changed = { 0 };
	char *line, *end;

	fixture_read(&f, file, &text);
	line = end = line_of(&text, i);
	while (count--)
		end += length_of(end);
	cr_assert_eq(text_add(&changed, text.data, line - text.data), 0);
	cr_assert_eq(text_add(&changed, bytes, length), 0);
	cr_assert_eq(text_add(&changed, end, text.data + text.length - end), 0);
	fixture_write(&f, file, changed.data, changed.length);
}

/* A hexadecimal digit stays one: else the line is not even one that could be signed. */
static void flip(const char *file, unsigned int i, const char *field, int offset)
{
	OWNED_TEXT struct text text = { 0 };
	char *at;

	fixture_read(&f, file, &text);
	at = memmem(line_of(&text, i), length_of(line_of(&text, i)), field, strlen(field));
	cr_assert_not_null(at);
	at += (int)strlen(field) + offset;
	*at ^= *at == 'a' || *at == 'f' ? 3 : 1;
	fixture_write(&f, file, text.data, text.length);
}

Test(audit_verify, an_untouched_log_is_whole)
{
	verify();
	cr_assert_eq(found.fault, AUDIT_WHOLE, "%s", found.detail);
	cr_assert_eq(found.first, 1);
	cr_assert_eq(found.last.n, LAST);
	cr_assert_eq(found.checkpoints, 4);
	cr_assert_eq(found.unsigned_lines, LAST - 66);
}

Test(audit_verify, a_bit_in_each_kind_of_place)
{
	static const char *const fields[] = {
		"{",	     "\"time\":\"", "\"mono\":",   "\"seq\":",	"\"session\":\"",
		"\"op\":\"", "\"n\":",	    "\"prev\":\"", "\"kind\":", "\"v\":",
	};

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		flip(segment(41), 7, fields[i], 0);
		verify();
		cr_assert_eq(found.fault, AUDIT_CHANGED, "%s: %s: %s", fields[i],
			     audit_fault_name(found.fault), found.detail);
		cr_assert_eq(found.at.line, 7, "%s", fields[i]);
		tear_down();
		set_up();
	}
}

Test(audit_verify, the_first_and_the_last_line)
{
	flip(segment(1), 1, "\"op\":\"", 0);
	expect(AUDIT_CHANGED, segment(1), 1, 1);
	tear_down();
	set_up();
	flip(AUDIT_FILE, 10, "\"op\":\"", 0);
	expect(AUDIT_CHANGED, AUDIT_FILE, 10, LAST);
}

Test(audit_verify, a_line_break_that_is_gone)
{
	flip(segment(41), 7, "}", 0);
	verify();
	cr_assert_eq(found.fault, AUDIT_CHANGED, "%s", found.detail);
	cr_assert_eq(found.at.line, 7);
}

Test(audit_verify, a_checkpoint)
{
	flip(segment(41), 20, "\"signature\":\"", 5);
	expect(AUDIT_SIGNATURE, segment(41), 20, 60);
	tear_down();
	set_up();
	flip(segment(41), 20, "\"kind\":\"", 1);
	verify();
	cr_assert_neq(found.fault, AUDIT_WHOLE);
}

Test(audit_verify, a_removed_line)
{
	replace(segment(41), 7, 1, "", 0);
	expect(AUDIT_REMOVED, segment(41), 7, 48);
	tear_down();
	set_up();
	replace(AUDIT_FILE, 9, 1, "", 0);
	expect(AUDIT_REMOVED, AUDIT_FILE, 9, LAST);
	tear_down();
	set_up();
	replace(segment(1), 1, 1, "", 0);
	expect(AUDIT_MISSING, segment(1), 1, 2);
}

/* Garbage, and a line that is of the chain itself: then the one after it does not fit. */
Test(audit_verify, an_inserted_line)
{
	OWNED_TEXT struct text text = { 0 };
	struct audit_chain chain = { .n = 46 };
	char *before;

	replace(segment(41), 7, 0, "{\"v\":1}\n", 8);
	expect(AUDIT_INSERTED, segment(41), 7, 0);
	tear_down();
	set_up();

	fixture_read(&f, segment(41), &text);
	before = line_of(&text, 6);
	audit_hash_line(before, length_of(before) - 1, &chain.hash);
	text.length = 0;
	cr_assert_eq(text_add(&text, "{\"v\":1,\"forged\":true}\n", 22), 0);
	cr_assert_eq(audit_chain_add(&chain, &text, 0), 0);
	replace(segment(41), 7, 0, text.data, text.length);
	expect(AUDIT_INSERTED, segment(41), 7, 47);
}

Test(audit_verify, swapped_lines)
{
	OWNED_TEXT struct text text = { 0 }, swapped = { 0 };
	char *one, *other;

	fixture_read(&f, segment(41), &text);
	one = line_of(&text, 7);
	other = line_of(&text, 8);
	cr_assert_eq(text_add(&swapped, other, length_of(other)), 0);
	cr_assert_eq(text_add(&swapped, one, length_of(one)), 0);
	replace(segment(41), 7, 2, swapped.data, swapped.length);
	expect(AUDIT_SWAPPED, segment(41), 7, 48);
}

Test(audit_verify, a_tail_that_was_cut_off)
{
	replace(AUDIT_FILE, 8, 3, "", 0);
	expect(AUDIT_CUT_OFF, AUDIT_FILE, 7, 67);
	tear_down();
	set_up();
	cr_assert_eq(unlinkat(f.directory, AUDIT_FILE, 0), 0);
	expect(AUDIT_CUT_OFF, segment(41), 20, 60);
}

Test(audit_verify, the_end_of_a_segment)
{
	replace(segment(41), 19, 2, "", 0);
	expect(AUDIT_CUT_OFF, segment(41), 18, 58);
}

/* A whole chain that nobody but the key's owner could have signed. */
Test(audit_verify, a_tail_that_was_written_anew)
{
	OWNED_TEXT struct text text = { 0 };
	struct audit_chain head = found.head;
	struct audit_key others;
	int state = f.directory;
	bool made;

	fixture_read(&f, segment(41), &text);
	f.chain.n = 60;
	audit_hash_line(line_of(&text, 20), length_of(line_of(&text, 20)) - 1, &f.chain.hash);
	text.length = 0;
	fixture_lines(&f, &text, 10);
	text.data[text.length] = '\0';
	fixture_write(&f, AUDIT_FILE, text.data, text.length);
	expect(AUDIT_CHANGED, AUDIT_FILE, 10, LAST);

	cr_assert_eq(unlinkat(state, AUDIT_KEY_FILE, 0), 0);
	cr_assert_eq(audit_key_open(state, &others, &made), 0);
	found = (struct audit_verify) { .key = &others, .head = head };
	expect(AUDIT_SIGNATURE, segment(1), 20, 20);
}

Test(audit_verify, a_missing_segment)
{
	cr_assert_eq(unlinkat(f.directory, segment(41), 0), 0);
	expect(AUDIT_MISSING, AUDIT_FILE, 1, 61);
	tear_down();
	set_up();
	cr_assert_eq(unlinkat(f.directory, segment(1), 0), 0);
	expect(AUDIT_MISSING, audit_segment_name(21, AUDIT_COMPRESSED).text, 1, 21);
}

/* The same, but the log says so, and a checkpoint after that. */
Test(audit_verify, a_segment_removed_for_its_age)
{
	OWNED_TEXT struct text text = { 0 }, first = { 0 };
	struct event_head now = { 1000000000, 1, NULL };
	struct audit_chain last = { .n = 20 };

	fixture_read(&f, segment(1), &first);
	audit_hash_line(line_of(&first, 20), length_of(line_of(&first, 20)) - 1, &last.hash);
	cr_assert_eq(audit_entry_retention(&text, &now, 1, &last), 0);
	cr_assert_eq(audit_chain_add(&f.chain, &text, 0), 0);
	fixture_append(&f, AUDIT_FILE, &text);
	cr_assert_eq(unlinkat(f.directory, segment(1), 0), 0);

	found.head = (struct audit_chain) { 0 };
	expect(AUDIT_MISSING, audit_segment_name(21, AUDIT_COMPRESSED).text, 1, 21);
	text.length = 0;
	add_checkpoint(&text);
	fixture_append(&f, AUDIT_FILE, &text);
	found = (struct audit_verify) { .key = &key, .head = f.chain };
	verify();
	cr_assert_eq(found.fault, AUDIT_WHOLE, "%s", found.detail);
	cr_assert_eq(found.first, 21);
}

/* Its index and its frames are checked against each other and against the chain. */
Test(audit_verify, a_compressed_segment)
{
	struct audit_name frames = audit_segment_name(21, AUDIT_COMPRESSED);
	struct audit_name index = audit_segment_name(21, AUDIT_INDEX);
	OWNED_TEXT struct text text = { 0 };

	fixture_read(&f, frames.text, &text);
	text.data[text.length / 2] ^= 1;
	fixture_write(&f, frames.text, text.data, text.length);
	verify();
	cr_assert_eq(found.fault, AUDIT_DAMAGED, "%s", found.detail);
	cr_assert_str_eq(found.at.file, frames.text);
	tear_down();
	set_up();

	text.length = 0;
	fixture_read(&f, index.text, &text);
	text.data[text.length / 2] ^= 1;
	fixture_write(&f, index.text, text.data, text.length);
	expect(AUDIT_BAD_INDEX, frames.text, 0, 0);
}

/* The frames of another segment, with the right index for them. */
Test(audit_verify, replaced_frames)
{
	OWNED_TEXT struct text text = { 0 };

	fixture_pack(&f, 41, 1000);
	fixture_read(&f, audit_segment_name(41, AUDIT_COMPRESSED).text, &text);
	fixture_write(&f, audit_segment_name(21, AUDIT_COMPRESSED).text, text.data, text.length);
	text.length = 0;
	fixture_read(&f, audit_segment_name(41, AUDIT_INDEX).text, &text);
	fixture_write(&f, audit_segment_name(21, AUDIT_INDEX).text, text.data, text.length);
	expect(AUDIT_MISSING, audit_segment_name(21, AUDIT_COMPRESSED).text, 1, 41);
}

Test(audit_verify, a_part_of_it)
{
	struct audit_range range = { 30, 45 };

	cr_assert_eq(unlinkat(f.directory, segment(1), 0), 0);
	flip(AUDIT_FILE, 9, "\"op\":\"", 0); /* outside */
	cr_assert_eq(audit_verify_directory(&found, f.directory, &range), 0);
	cr_assert_eq(found.fault, AUDIT_WHOLE, "%s", found.detail);
	cr_assert_eq(found.first, 30);
	cr_assert_eq(found.last.n, 60);
}

Test(audit_verify, an_export_in_one_piece)
{
	OWNED_FD int fd = openat(f.directory, segment(41), O_RDONLY | O_CLOEXEC);

	found.head.n = 0;
	cr_assert_eq(audit_verify_export(&found, fd), 0);
	cr_assert_eq(found.fault, AUDIT_WHOLE, "%s", found.detail);
	cr_assert_eq(found.first, 41);
	cr_assert_eq(found.checkpoints, 1);
}
