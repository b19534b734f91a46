/* SPDX-License-Identifier: MPL-2.0 */
/* Arguments in pieces come together; what is lost is admitted. */

#include <criterion/criterion.h>

#include "lib/base/base.h"
#include "lib/record/record.h"

/* Writes down "tid path argv[!];", NULs as '.', '!' for truncated. */
static void note(void *arg, const struct record *record, struct record_bytes argv)
{
	struct text *text = arg;
	bool cut = record->head.flags & GRITH_RECORD_TRUNCATED;

	cr_assert_eq(text_addf(text, "%u %.*s ", record->head.tid, (int)record->path.length,
			       record->path.data ? record->path.data : ""),
		     0);
	for (size_t i = 0; i < argv.length; i++)
		cr_assert_eq(text_add(text, argv.data[i] ? argv.data + i : ".", 1), 0);
	cr_assert_eq(text_addf(text, "%s;", cut ? "!" : ""), 0);
}

static void add(struct exec_join *join, struct text *text, enum grith_kind kind, uint32_t tid,
		const char *argv, size_t length, uint16_t flags)
{
	struct record record = {
		.head = { .kind = kind, .tid = tid, .flags = flags },
		.argv = { argv, length },
	};

	if (kind == GRITH_KIND_EXEC)
		record.path = (struct record_bytes) { "/p", 2 };
	exec_join_add(join, &record, note, text);
}

Test(exec_join, whole_ones_pass)
{
	struct exec_join join = { 0 };
	OWNED_TEXT struct text text = { 0 };

	add(&join, &text, GRITH_KIND_EXEC, 1, "a\0b", 4, 0);
	cr_assert_str_eq(text.data, "1 /p a.b.;");
	exec_join_free(&join);
}

Test(exec_join, pieces_come_together)
{
	struct exec_join join = { 0 };
	OWNED_TEXT struct text text = { 0 };

	add(&join, &text, GRITH_KIND_EXEC, 1, "aa", 2, GRITH_RECORD_MORE);
	add(&join, &text, GRITH_KIND_EXEC, 2, "xx", 2, GRITH_RECORD_MORE);
	add(&join, &text, GRITH_KIND_ARGV, 1, "bb", 2, GRITH_RECORD_MORE);
	add(&join, &text, GRITH_KIND_ARGV, 2, "yy", 2, GRITH_RECORD_TRUNCATED);
	add(&join, &text, GRITH_KIND_ARGV, 1, "cc", 2, 0);
	cr_assert_str_eq(text.data, "2 /p xxyy!;1 /p aabbcc;");
	exec_join_free(&join);
}

Test(exec_join, lost_ends_are_admitted)
{
	struct exec_join join = { 0 };
	OWNED_TEXT struct text text = { 0 };

	add(&join, &text, GRITH_KIND_EXEC, 1, "aa", 2, GRITH_RECORD_MORE);
	add(&join, &text, GRITH_KIND_EXEC, 1, "bb", 2, 0);
	add(&join, &text, GRITH_KIND_ARGV, 9, "zz", 2, 0); /* its start was lost */
	add(&join, &text, GRITH_KIND_EXEC, 3, "cc", 2, GRITH_RECORD_MORE);
	add(&join, &text, GRITH_KIND_EXEC, 4, "dd", 2, GRITH_RECORD_MORE);
	exec_join_flush(&join, 3, note, &text);
	exec_join_flush(&join, 0, note, &text);
	cr_assert_str_eq(text.data, "1 /p aa!;1 /p bb;3 /p cc!;4 /p dd!;");
	exec_join_free(&join);
}

Test(exec_join, it_is_bounded)
{
	static char part[GRITH_ARGV_CHUNK];
	struct exec_join join = { 0 };
	OWNED_TEXT struct text text = { 0 };

	memset(part, 'a', sizeof(part));
	add(&join, &text, GRITH_KIND_EXEC, 1, part, sizeof(part), GRITH_RECORD_MORE);
	for (int i = 0; i < 100; i++)
		add(&join, &text, GRITH_KIND_ARGV, 1, part, sizeof(part), GRITH_RECORD_MORE);
	cr_assert_null(text.data);
	add(&join, &text, GRITH_KIND_ARGV, 1, "", 0, 0);
	cr_assert_eq(text.length, strlen("1 /p ") + GRITH_ARGV_MAX + strlen("!;"));

	for (uint32_t tid = 1; tid <= EXEC_JOIN_MAX; tid++)
		add(&join, &text, GRITH_KIND_EXEC, tid, "a", 1, GRITH_RECORD_MORE);
	text.length = 0;
	add(&join, &text, GRITH_KIND_EXEC, 9999, "a", 1, GRITH_RECORD_MORE);
	cr_assert_str_eq(text.data, "9999 /p a!;");
	exec_join_free(&join);
}
