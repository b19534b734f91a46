/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Programs that are told about a review, paths from the command line, and widths of text.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "grith/base/base.h"
#include "grith/review/notice.h"

static char directory[] = "/tmp/grith-notice.XXXXXX";

static void set_up(void)
{
	alarm(50);
	cr_assert(mkdtemp(directory));
	cr_assert_eq(chdir(directory), 0);
}

static void tear_down(void)
{
	char command[64];

	cr_assert_eq(chdir("/"), 0);
	snprintf(command, sizeof(command), "/bin/rm -rf -- %s", directory);
	cr_assert_eq(system(command), 0);
}

TestSuite(cli_notice, .init = set_up, .fini = tear_down);

static json_t *review_of(const char *object)
{
	return json_pack("{s:i, s:s, s:s, s:s, s:s, s:i}", "id", 12, "session_name", "--blue", "op",
			 "write", "object", object, "program", "/usr/bin/node", "pid", 7);
}

static void end_all(void)
{
	while (wait(NULL) > 0)
		;
}

static void expect_file(const char *path, const char *expected)
{
	char bytes[1024] = "";
	FILE *f = fopen(path, "r");

	cr_assert(f, "%s", path);
	bytes[fread(bytes, 1, sizeof(bytes) - 1, f)] = '\0';
	fclose(f);
	cr_expect_str_eq(bytes, expected);
}

/* What the agent chose is text, neither markup nor control characters, and of some length. */
Test(cli_notice, texts)
{
	OWNED_TEXT struct text heading = { 0 }, body = { 0 }, heading2 = { 0 }, long_body = { 0 };
	OWNED_MEM char *object = calloc(1, 5001);
	json_auto_t *review = review_of("/a<b>&\x1b[1m\n");
	json_auto_t *longer = review_of(memset(object, 'x', 5000));

	cr_assert_eq(notice_texts(review, &heading, &body), 0);
	cr_expect_str_eq(heading.data, "grith: --blue asks (12)");
	cr_expect_str_eq(body.data, "node[7]: write /a&lt;b&gt;&amp;\\e[1m\\n");
	cr_assert_eq(notice_texts(longer, &heading2, &long_body), 0);
	cr_expect_lt(long_body.length, 300);
}

Test(cli_notice, a_command_gets_the_review)
{
	json_auto_t *review = review_of("/a\n'$(false)");
	struct notice notice = { 0 };

	cr_assert_eq(notice_command(&notice, "cat >seen; echo $# >count", review), 0);
	end_all();
	expect_file("seen", "{\"id\":12,\"session_name\":\"--blue\",\"op\":\"write\","
			    "\"object\":\"/a\\n'$(false)\",\"program\":\"/usr/bin/node\","
			    "\"pid\":7}\n");
	expect_file("count", "0\n");
}

/* One that does not read, and one that does not end, are waited for by nobody. */
Test(cli_notice, commands_run_by_themselves)
{
	OWNED_MEM char *object = calloc(1, 1000001);
	json_auto_t *review = review_of(memset(object, 'x', 1000000));
	struct notice notice = { 0 };
	char path[PATH_MAX];
	int ends[2];

	cr_assert_eq(pipe(ends), 0);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC); /* or they would wait for each other */
	snprintf(path, sizeof(path), "read line <&%d", ends[0]);
	for (unsigned int i = 0; i < NOTICE_RUNNING; i++)
		cr_assert_eq(notice_command(&notice, path, review), 0);
	cr_expect_eq(notice.running, NOTICE_RUNNING);
	close(ends[1]);
	/* they end now, and there is room for the next one */
	cr_assert_eq(notice_command(&notice, "exit 3", review), 0);
	cr_expect_leq(notice.running, NOTICE_RUNNING);
	end_all();
	close(ends[0]);
}

Test(cli_notice, a_notification_of_the_desktop)
{
	json_auto_t *review = review_of("/a<b");
	struct notice notice = { 0 };
	FILE *f = fopen("notify-send", "w");

	cr_assert(f);
	fputs("#!/bin/sh\nprintf '%s\\n' \"$@\" >seen\n", f);
	fclose(f);
	cr_assert_eq(chmod("notify-send", 0755), 0);
	setenv("PATH", directory, 1);
	cr_assert_eq(notice_desktop(&notice, review), 0);
	end_all();
	expect_file("seen", "--app-name=grith\n--urgency=critical\n--\ngrith: --blue asks (12)\n"
			    "node[7]: write /a&lt;b\n");
	cr_assert_eq(unlink("notify-send"), 0);
	cr_expect_eq(notice_desktop(&notice, review), -ENOENT);
}

Test(cli_notice, absolute_paths)
{
	OWNED_MEM char *a = NULL, *b = NULL, *c = NULL, *d = NULL, *none = NULL, *real = NULL;
	char expected[PATH_MAX];

	real = realpath(directory, NULL);
	cr_assert_eq(mkdir("sub", 0700), 0);
	cr_assert_eq(symlink("sub", "link"), 0);
	cr_assert_eq(absolute_path("link/../link/", &a), 0);
	snprintf(expected, sizeof(expected), "%s/sub", real);
	cr_expect_str_eq(a, expected);
	cr_assert_eq(absolute_path("link/new", &b), 0);
	snprintf(expected, sizeof(expected), "%s/sub/new", real);
	cr_expect_str_eq(b, expected);
	cr_assert_eq(absolute_path("new", &c), 0);
	snprintf(expected, sizeof(expected), "%s/new", real);
	cr_expect_str_eq(c, expected);
	cr_assert_eq(absolute_path("/new", &d), 0);
	cr_expect_str_eq(d, "/new");
	cr_expect_eq(absolute_path("not/there", &none), -ENOENT);
	cr_expect_eq(absolute_path("", &none), -ENOENT);
	cr_expect_eq(absolute_path("new/", &none), -ENOENT);
	cr_expect_eq(absolute_path("sub/new/..", &none), -ENOENT);
	cr_expect_null(none);
}

static void expect_middle(const char *text, unsigned int columns, const char *expected)
{
	OWNED_TEXT struct text out = { 0 };

	cr_assert_eq(term_add_middle(&out, text, columns), 0);
	cr_expect_str_eq(out.data, expected);
	cr_expect_leq(term_columns(out.data), columns);
}

Test(cli_notice, widths)
{
	cr_expect_eq(term_columns("a\xc3\xa9\xe2\x94\x80"), 3);
	cr_expect_eq(term_columns("\xe7\x95\x8c"), 2);
	cr_expect_eq(term_columns("\xf0\x9f\x98\x80"), 2);
	cr_expect_eq(term_columns("\xff\xe7"), 2, "bytes that are no characters");
	cr_expect_str_eq(term_skip("ab\xe7\x95\x8c"
				   "c",
				   3),
			 "\xe7\x95\x8c"
			 "c");
	cr_expect_str_eq(term_skip("ab\xe7\x95\x8c"
				   "c",
				   4),
			 "c");
	cr_expect_str_eq(term_skip("ab", 9), "");
	expect_middle("/home/anna/file", 15, "/home/anna/file");
	expect_middle("/home/anna/file", 12, "/ho...a/file");
	expect_middle("/home/anna/file", 3, "...");
	expect_middle("/home/anna/file", 2, "..");
	expect_middle("/home/anna/file", 0, "");
	expect_middle("\xe7\x95\x8c\xe7\x95\x8c\xe7\x95\x8c\xe7\x95\x8c", 7, "...\xe7\x95\x8c");
}
