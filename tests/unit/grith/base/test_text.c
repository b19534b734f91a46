/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The small pure parts of the command line: suggestions, moments, tables, the terminal, the search
 * of PATH.
 */
#include <criterion/criterion.h>
#include <limits.h>
#include <sys/stat.h>

#include "grith/base/base.h"
#include "lib/base/base.h"

static const struct term plain = { 0 };

Test(cli_suggest, near_words)
{
	static const char *const verbs[] = { "exec", "ps", "kill", "freeze", "thaw", "log" };
	static const struct {
		const char *typed, *meant;
	} cases[] = {
		{ "exce", "exec" },
		{ "exe", "exec" },
		{ "pss", "ps" },
		{ "sp", "ps" },
		{ "frezee", "freeze" },
		{ "taw", "thaw" },
		{ "logs", "log" },
		{ "kil", "kill" },
		{ "", NULL },
		{ "x", NULL },
		{ "attach", NULL },
		{ "execution", NULL },
		{ "a-word-that-is-longer-than-any-verb-will-ever-be", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *meant = suggest(cases[i].typed, verbs, ARRAY_SIZE(verbs));

		if (cases[i].meant)
			cr_expect_str_eq(meant, cases[i].meant, "%s: %s", cases[i].typed, meant);
		else
			cr_expect_null(meant, "%s: %s", cases[i].typed, meant);
	}
}

Test(cli_moment, times)
{
	static const char *const wrong[] = {
		"",
		"2026-01-02",
		"2026-01-02T03:04:05",
		"2026-01-02T03:04:05.12xZ",
		"2026-13-02T03:04:05Z",
		"2026-01-02T03:04:05Z ",
		"yesterday",
	};
	int64_t ms = 0;

	cr_expect_eq(moment_parse("1970-01-01T00:00:01Z", &ms), 0);
	cr_expect_eq(ms, 1000);
	cr_expect_eq(moment_parse("2026-01-02T03:04:05.123456789Z", &ms), 0);
	cr_expect_eq(ms, INT64_C(1767323045123));
	cr_expect_eq(moment_parse("2026-01-02T03:04:05.5Z", &ms), 0);
	cr_expect_eq(ms, INT64_C(1767323045500));
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		cr_expect_eq(moment_parse(wrong[i], &ms), -EINVAL, "%s", wrong[i]);
	cr_expect_eq(ms, INT64_C(1767323045500));
}

Test(cli_moment, shown)
{
	OWNED_TEXT struct text out = { 0 };

	setenv("TZ", "UTC", 1);
	cr_expect_eq(moment_add(&out, INT64_C(1767323045123)), 0);
	cr_expect_eq(moment_add(&out, -1), 0);
	cr_expect_str_eq(out.data, "01-02 03:04:05.123(no time)");
}

Test(cli_moment, spans)
{
	static const struct {
		const char *text;
		uint64_t seconds;
	} right[] = { { "0", 0 },     { "90", 90 },	{ "90s", 90 },	  { "10m", 600 },
		      { "2h", 7200 }, { "7d", 604800 }, { "1w", 604800 }, { "3660d", 316224000 } };
	static const char *const wrong[] = { "",    "m",   "-1m", "1 m", "1.5h",
					     "10M", "1hm", "10x", "+5",	 "0x10" };
	static const char *const large[] = { "3661d", "18446744073709551615",
					     "18446744073709551616s" };
	OWNED_TEXT struct text out = { 0 };
	uint64_t seconds = 77;

	for (size_t i = 0; i < ARRAY_SIZE(right); i++) {
		cr_expect_eq(moment_parse_span(right[i].text, &seconds), 0, "%s", right[i].text);
		cr_expect_eq(seconds, right[i].seconds, "%s", right[i].text);
	}
	seconds = 77;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		cr_expect_eq(moment_parse_span(wrong[i], &seconds), -EINVAL, "%s", wrong[i]);
	for (size_t i = 0; i < ARRAY_SIZE(large); i++)
		cr_expect_eq(moment_parse_span(large[i], &seconds), -ERANGE, "%s", large[i]);
	cr_expect_eq(seconds, 77);

	moment_add_span(&out, 999);
	moment_add_span(&out, 59999);
	moment_add_span(&out, 60000);
	moment_add_span(&out, 7200 * 1000);
	moment_add_span(&out, INT64_C(3) * 86400 * 1000);
	moment_add_span(&out, -5);
	cr_expect_str_eq(out.data, "0s59s1m2h3d0s");
}

Test(cli_term, columns_and_cuts)
{
	static const struct {
		const char *text;
		unsigned int columns;
		const char *cut;
	} cases[] = {
		{ "abcdef", 0, "abcdef" }, { "abcdef", 6, "abcdef" }, { "abcdef", 5, "ab..." },
		{ "abcdef", 3, "..." },	   { "abcdef", 2, ".." },     { "", 5, "" },
		{ "äöüßéè", 6, "äöüßéè" }, { "äöüßéè", 5, "äö..." },
	};

	cr_expect_eq(term_columns("aä€"), 3);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		OWNED_TEXT struct text out = { 0 };

		cr_expect_eq(term_add_cut(&out, cases[i].text, cases[i].columns), 0);
		cr_expect_str_eq(out.data, cases[i].cut);
	}
}

Test(cli_term, no_colours_where_there_is_no_terminal)
{
	struct term coloured = { .colour = true };
	struct term file;
	FILE *f = tmpfile();

	setenv("TERM", "xterm", 1);
	file = term_of(fileno(f));
	fclose(f);
	cr_expect_eq(file.width, 0);
	cr_expect_str_eq(term_colour(&file, TERM_RED), "");
	cr_expect_str_neq(term_colour(&coloured, TERM_RED), "");
}

Test(cli_table, aligns)
{
	OWNED_TABLE struct table table = { .columns = 3, .right = 1u << 1 };
	const struct term narrow = { .width = 10 };
	OWNED_TEXT struct text out = { 0 };

	table_add(&table, "NAME");
	table_add(&table, "N");
	table_add(&table, "LAST");
	table_add(&table, "ä");
	table_addf(&table, "%d", 1234);
	table_add(&table, NULL);
	for (size_t i = 0; i < 2; i++)
		cr_expect_eq(table_print_row(&table, i, &plain, &out), 0);
	cr_expect_eq(table_print_row(&table, 0, &narrow, &out), 0);
	cr_expect_str_eq(out.data, "NAME     N  LAST\n"
				   "ä     1234  \n"
				   "NAME   ...\n");
}

static char *make_file(const char *directory, const char *name, mode_t mode)
{
	char *path;
	FILE *f;

	cr_assert(asprintf(&path, "%s/%s", directory, name) > 0);
	f = fopen(path, "w");
	cr_assert(f);
	fclose(f);
	cr_assert_eq(chmod(path, mode), 0);
	return path;
}

Test(cli_program, searches)
{
	char one[] = "/tmp/grith-cli-one.XXXXXX", two[] = "/tmp/grith-cli-two.XXXXXX";
	OWNED_MEM char *text = NULL, *tool = NULL, *search = NULL, *found = NULL, *empty = NULL;

	cr_assert(mkdtemp(one) && mkdtemp(two));
	text = make_file(one, "tool", 0644);
	tool = make_file(two, "tool", 0755);
	cr_assert(asprintf(&search, "/nowhere:%s:%s", one, two) > 0);

	/* The one that cannot be executed does not hide the one that can. */
	cr_expect_eq(program_find("tool", search, &found), 0);
	cr_expect_str_eq(found, tool);
	cr_expect_eq(program_find("tool", one, &empty), -EACCES);
	cr_expect_eq(program_find("nothing", search, &empty), -ENOENT);
	cr_expect_eq(program_find("", search, &empty), -ENOENT);
	cr_expect_eq(program_find(text, search, &empty), -EACCES);
	cr_expect_eq(program_find(two, search, &empty), -EACCES, "a directory is no program");
	cr_expect_eq(program_find("/etc/passwd/x", search, &empty), -ENOENT);
	cr_expect_null(empty);

	/* An empty entry is the current directory. */
	free(TAKE_PTR(found));
	cr_assert_eq(chdir(two), 0);
	cr_expect_eq(program_find("tool", "/nowhere:", &found), 0);
	cr_expect_str_eq(found, "./tool");

	unlink(text);
	unlink(tool);
	rmdir(one);
	rmdir(two);
}

Test(cli_line, the_first_failure_sticks)
{
	OWNED_TEXT struct text out = { 0 };
	struct line line = { .out = &out };

	line_add(&line, "kept");
	line.r = -ENOMEM;
	line_add(&line, "lost");
	line_addf(&line, "%d", 5);
	line_add_bytes(&line, bytes_of("lost"));
	line_add_errno(&line, EACCES);
	line_pad(&line, 0, 20);
	cr_expect_eq(line.r, -ENOMEM);
	cr_expect_str_eq(out.data, "kept");
}

Test(cli_table, the_first_failure_sticks)
{
	OWNED_TABLE struct table table = { .columns = 1 };
	OWNED_LINE struct line cell = { .out = &cell.own, .r = -ENOMEM };
	const struct term term = { 0 };
	OWNED_TEXT struct text out = { 0 };

	cr_expect_eq(table_add(&table, "a"), 0);
	cr_expect_eq(table_add_line(&table, &cell), -ENOMEM);
	cr_expect_eq(table_add(&table, "b"), -ENOMEM);
	cr_expect_eq(table_print(&table, &term, &out), -ENOMEM);
	cr_expect_eq(out.length, 0);
}
