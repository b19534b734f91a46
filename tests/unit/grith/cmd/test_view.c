/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What people see: process trees, sessions, the state of grithd. The inputs are what
 * grithd sends, and what it never should.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "grith/cmd/view_sessions.h"
#include "grith/cmd/view_status.h"

static const struct term plain = { 0 };
static const struct term utf8 = { .utf8 = true };

static json_t *parse(const char *text)
{
	json_error_t error;
	json_t *json = json_loads(text, 0, &error);

	cr_assert(json, "%s: %s", error.text, text);
	return json;
}

static void expect_tree(struct tree_process *processes, size_t count, const struct term *term,
			const char *expected)
{
	OWNED_TEXT struct text out = { 0 };

	cr_expect_eq(process_tree_add(&out, processes, count, term), 0);
	cr_expect_str_eq(out.data ? out.data : "", expected);
}

Test(cli_tree, children_below_parents)
{
	struct tree_process processes[] = {
		{ 30, 10, "c", 0 }, { 10, 1, "a", 0 }, { 20, 10, "b", 0 },
		{ 21, 20, "d", 0 }, { 5, 4, "z", 0 },
	};
	const struct term narrow = { .width = 9 };

	expect_tree(processes, ARRAY_SIZE(processes), &utf8,
		    "├─ 5 z\n└─ 10 a\n   ├─ 20 b\n   │  └─ 21 d\n   └─ 30 c\n");
	expect_tree(processes, ARRAY_SIZE(processes), &plain,
		    "|- 5 z\n`- 10 a\n   |- 20 b\n   |  `- 21 d\n   `- 30 c\n");
	expect_tree(processes, ARRAY_SIZE(processes), &narrow,
		    "|- 5 z\n`- 10 a\n   |- ...\n   |  ...\n   `- ...\n");
	expect_tree(NULL, 0, &plain, "");
}

Test(cli_tree, circles_are_cut)
{
	struct tree_process self[] = { { 7, 7, "self", 0 } };
	struct tree_process circle[] = {
		{ 1, 3, "a", 0 }, { 2, 1, "b", 0 }, { 3, 2, "c", 0 }, { 4, 2, "d", 0 }
	};
	struct tree_process twins[] = {
		{ 1, 2, "a", 0 }, { 2, 1, "b", 0 }, { 8, 9, "c", 0 }, { 9, 8, "d", 0 }
	};

	expect_tree(self, 1, &plain, "`- 7 self\n");
	expect_tree(circle, 4, &plain, "`- 1 a\n   `- 2 b\n      |- 3 c\n      `- 4 d\n");
	expect_tree(twins, 4, &plain, "|- 1 a\n|  `- 2 b\n`- 8 c\n   `- 9 d\n");
}

/* Every process is drawn once, whatever the parents are. */
Test(cli_tree, any_input)
{
	static struct tree_process processes[300];
	unsigned int seed = 1;

	for (int round = 0; round < 200; round++) {
		OWNED_TEXT struct text out = { 0 };
		size_t lines = 0;

		for (size_t i = 0; i < ARRAY_SIZE(processes); i++) {
			seed = seed * 1103515245 + 12345;
			processes[i] = (struct tree_process) { i + 1, seed >> 16 & 511, "x", 0 };
		}
		cr_assert_eq(process_tree_add(&out, processes, ARRAY_SIZE(processes), &plain), 0);
		for (size_t i = 0; i < out.length; i++)
			lines += out.data[i] == '\n';
		cr_assert_eq(lines, ARRAY_SIZE(processes));
	}
}

Test(cli_tree, deep)
{
	enum { DEPTH = 20000 };
	struct tree_process *chain = calloc(DEPTH, sizeof(*chain));
	OWNED_TEXT struct text out = { 0 };

	for (uint32_t i = 0; i < DEPTH; i++)
		chain[i] = (struct tree_process) { i + 1, i, "x", 0 };
	cr_expect_eq(process_tree_add(&out, chain, DEPTH, &plain), 0);
	cr_expect_lt(out.length, (size_t)DEPTH * (3 * PROCESS_TREE_DEPTH + 20));
	free(chain);
}

Test(cli_line, exact_bytes)
{
	json_auto_t *json =
		parse("{\"a\":\"x\\u001b\\u202ey\",\"b\":\"\\ufffd\",\"b_hex\":\"ff0a41\","
		      "\"c\":\"kept\",\"c_hex\":\"0g\",\"d\":\"odd\",\"d_hex\":\"123\","
		      "\"e\":5,\"n\":-7}");
	static const struct {
		const char *key, *shown;
	} cases[] = { { "a", "x\\e\\xe2\\x80\\xaey" },
		      { "b", "\\xff\\nA" },
		      { "c", "kept" },
		      { "d", "odd" },
		      { "e", "" },
		      { "missing", "" } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		OWNED_TEXT struct text out = { 0 };
		struct line line = { .out = &out };

		line_add_member(&line, json, cases[i].key);
		cr_expect_eq(line.r, 0);
		cr_expect_str_eq(out.data ? out.data : "", cases[i].shown);
	}
	cr_expect_str_eq(member_string(json, "e"), "");
	cr_expect_eq(member_integer(json, "n"), -7);
	cr_expect_eq(member_integer(json, "a"), 0);
	cr_expect_eq(member_integer(NULL, "a"), 0);
}

Test(cli_line, commands)
{
	static const struct {
		const char *json, *shown;
	} cases[] = {
		{ "[\"git\",\"commit\",\"-m\",\"a b\"]", "git commit -m 'a b'" },
		{ "[\"it's\",\"\",\"a\\nb\"]", "\"it's\" '' 'a\\nb'" },
		{ "[1,null,\"x\"]", "  x" },
		{ "\"git status\\u001b\"", "git status\\e" },
		{ "[]", "" },
		{ "{}", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		json_auto_t *json = json_loads(cases[i].json, JSON_DECODE_ANY, NULL);
		OWNED_TEXT struct text out = { 0 };
		struct line line = { .out = &out };

		line_add_command(&line, json);
		cr_expect_eq(line.r, 0);
		cr_expect_str_eq(out.data ? out.data : "", cases[i].shown);
	}
}

Test(cli_sessions, table)
{
	json_auto_t *sessions =
		parse("[{\"id\":\"abcdefghij\",\"name\":\"blue\",\"user\":\"anna\","
		      "\"profile\":\"claude-code\",\"mode\":\"enforce\",\"state\":\"running\","
		      "\"started\":\"1970-01-01T00:00:10Z\",\"project\":\"/home/anna/\\u001bx\","
		      "\"counts\":{\"operations\":1200,\"refused\":3,\"lost\":2},"
		      "\"processes\":[{\"pid\":7,\"ppid\":1,\"program\":\"/bin/sh\"},"
		      "{\"pid\":8,\"ppid\":7,\"program\":\"/bin/ls\",\"command\":\"ls -l\"},"
		      "{\"pid\":9,\"ppid\":7}]},"
		      "{\"id\":5,\"state\":null}]");
	json_auto_t *none = parse("[]");
	OWNED_TEXT struct text out = { 0 }, empty = { 0 };

	cr_expect_eq(view_sessions(sessions, 130000, &plain, &out), 0);
	cr_expect_str_eq(
		out.data,
		"SESSION     NAME  USER  PROFILE      MODE     STATE    AGE  OPERATIONS  REFUSED  "
		"PROJECT\n"
		"abcdefghij  blue  anna  claude-code  enforce  running   2m        1200        3  "
		"/home/anna/\\ex\n"
		"2 records lost\n"
		"`- 7 /bin/sh\n"
		"   |- 8 ls -l\n"
		"   `- 9 -\n"
		"-           -     -     -            -        -          -           0        0  -\n");
	cr_expect_eq(view_sessions(none, 0, &plain, &empty), 0);
	cr_expect(strstr(empty.data, "SESSION"));
}

Test(cli_status, findings)
{
	json_auto_t *status = parse(
		"{\"version\":\"0.1.0\",\"attach\":\"lsm\",\"kernel\":\"6.12\",\"adopted\":true,"
		"\"pid\":5,\"sessions\":2,\"socket\":\"/s\",\"policy_dir\":\"/p\",\"log_dir\":\"/l\","
		"\"hooks\":[{\"name\":\"file_open\",\"state\":\"attached\",\"mandatory\":true},"
		"{\"name\":\"uring_allowed\",\"state\":\"absent\",\"why\":\"too old\\u001b\"},"
		"{\"name\":\"path_link\",\"state\":\"refused\",\"mandatory\":true}],"
		"\"counters\":{\"records\":100,\"audit_lines\":90,\"lost_path\":3,\"lost_exec\":0,"
		"\"unknown_paths\":2,\"new_thing\":1}}");
	OWNED_TEXT struct text out = { 0 };

	cr_expect_eq(view_status_problems(status), 2);
	cr_expect_eq(view_status(status, &plain, &out), 0);
	cr_expect_str_eq(
		out.data,
		"grithd      running, pid 5, with programs that an earlier one loaded\n"
		"version     0.1.0\n"
		"socket      /s\n"
		"kernel      6.12\n"
		"attachment  lsm\n"
		"policies    /p\n"
		"log         /l\n"
		"sessions    2\n"
		"hooks       1 of 3 attached\n"
		"  note: hook uring_allowed is absent: too old\\e\n"
		"  problem: hook path_link is refused\n"
		"records     100\n"
		"  problem: lost_path 3: records that found no room; the log has a gap entry there\n"
		"  note: unknown_paths 2: paths that could not be built, decided as 'unknown'\n"
		"  note: new_thing 1: a counter that this grith does not know\n");
}

Test(cli_status, unknown_counters_are_no_faults)
{
	json_auto_t *status = parse("{\"counters\":{\"records\":1,\"future_\\u001bthing\":7}}");
	OWNED_TEXT struct text out = { 0 };

	cr_expect_eq(view_status_problems(status), 0);
	cr_expect_eq(view_status(status, &plain, &out), 0);
	cr_expect(strstr(out.data, "  note: future_\\ething 7: a counter that this grith does not "
				   "know\n"),
		  "%s", out.data);
}

Test(cli_status, nothing_known)
{
	json_auto_t *status = parse("{\"hooks\":7,\"counters\":[]}");
	OWNED_TEXT struct text out = { 0 };

	cr_expect_eq(view_status_problems(status), 0);
	cr_expect_eq(view_status(status, &plain, &out), 0);
	cr_expect(strstr(out.data, "hooks       0 of 0 attached\n"), "%s", out.data);
}

Test(cli_status, check)
{
	json_auto_t *good = parse("{\"ok\":true,\"attach\":\"fmod_ret\",\"problems\":[],"
				  "\"policy_problems\":[]}");
	json_auto_t *bad = parse("{\"ok\":false,\"problems\":[\"no BTF: \\u001b\",7],"
				 "\"policy_problems\":[\"a.yaml:1:2: x\"]}");
	OWNED_TEXT struct text out = { 0 };

	cr_expect_eq(view_check(good, &plain, &out), 0);
	cr_expect_eq(view_check(bad, &plain, &out), 0);
	cr_expect_eq(view_check(NULL, &plain, &out), 0);
	cr_expect_str_eq(out.data, "kernel      can enforce, attachment fmod_ret\n"
				   "kernel      cannot enforce\n"
				   "  problem: no BTF: \\e\n"
				   "policies    have errors\n"
				   "  problem: a.yaml:1:2: x\n"
				   "kernel      cannot enforce\n");
}
