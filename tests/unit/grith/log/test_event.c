/* SPDX-License-Identifier: MPL-2.0 */
/* Entries of the log as people see them, whatever an agent put into them. */
#include <criterion/criterion.h>
#include <string.h>

#include "grith/log/json.h"
#include "grith/log/log.h"

static const struct term plain = { 0 };

/* Reads an entry with these fields, and shows it; the text is the caller's. */
static void show(const char *fields, const struct term *term, struct text *out)
{
	OWNED_LOG_EVENT_READER struct log_event_reader reader = { 0 };
	struct moment_memory memory = { 0 };
	OWNED_TEXT struct text json = { 0 };
	struct log_event event;

	text_addf(&json,
		  "{\"v\":1,\"time\":\"2026-01-02T03:04:05.123456789Z\","
		  "\"session\":\"abcdefghij\",%s}",
		  fields);
	cr_assert_eq(log_event_read(&reader, json.data, json.length, &event), 0, "%s", json.data);
	cr_assert_eq(view_event(&event, term, &memory, out), 0);
}

static void expect_event(const char *fields, const char *expected)
{
	static const char head[] = "01-02 03:04:05.123 abcdefghij      ";
	OWNED_TEXT struct text line = { 0 };

	show(fields, &plain, &line);
	cr_expect_eq(strncmp(line.data, head, strlen(head)), 0, "%s", line.data);
	cr_expect_str_eq(line.data + strlen(head), expected);
}

Test(cli_event, kinds)
{
	setenv("TZ", "UTC", 1);
	expect_event(
		"\"kind\":\"file\",\"op\":\"read\",\"verdict\":\"deny\",\"errno\":\"EACCES\","
		"\"path\":\"/home/a/.ssh/id\",\"rule\":\"base.yaml:12\","
		"\"reason\":\"private keys\",\"pid\":7,\"comm\":\"x\","
		"\"program\":\"/usr/bin/cat\",\"flags\":[\"uring\",\"new\"]",
		"cat[7]             deny  read     /home/a/.ssh/id  base.yaml:12 (private keys)"
		"  [EACCES uring]\n");
	expect_event("\"kind\":\"file\",\"op\":\"rename\",\"verdict\":\"allow\",\"path\":\"/a\","
		     "\"path2\":\"/b\",\"rule\":\"default\",\"pid\":7,\"comm\":\"mv\"",
		     "mv[7]              allow rename   /a -> /b  default\n");
	expect_event("\"kind\":\"unix\",\"op\":\"connect\",\"verdict\":\"allow\",\"path\":\"bus\","
		     "\"flags\":[\"abstract\"],\"pid\":7,\"comm\":\"x\"",
		     "x[7]               allow connect  @bus  [abstract]\n");
	expect_event(
		"\"kind\":\"exec\",\"op\":\"exec\",\"verdict\":\"allow\",\"path\":\"/bin/git\","
		"\"argv\":[\"git\",\"a b\"],\"pid\":7,\"program\":\"/bin/git\"",
		"git[7]             allow exec     /bin/git: git 'a b'\n");
	expect_event(
		"\"kind\":\"net\",\"op\":\"connect\",\"verdict\":\"hold\",\"family\":\"inet6\","
		"\"address\":\"::1\",\"port\":443,\"pid\":7,\"comm\":\"node\"",
		"node[7]            hold  connect  [::1]:443\n");
	expect_event("\"kind\":\"net\",\"op\":\"socket\",\"verdict\":\"allow\",\"family\":\"inet\","
		     "\"type\":\"raw\",\"pid\":7,\"comm\":\"node\"",
		     "node[7]            allow socket   inet raw\n");
	expect_event("\"kind\":\"result\",\"op\":\"connect\",\"errno\":\"ECONNREFUSED\","
		     "\"address\":\"10.0.0.1\",\"port\":80,\"pid\":7,\"comm\":\"c\"",
		     "c[7]               -     connect  10.0.0.1:80  [ECONNREFUSED]\n");
	expect_event("\"kind\":\"result\",\"op\":\"connect\",\"address\":\"10.0.0.1\",\"port\":80,"
		     "\"pid\":7,\"comm\":\"c\"",
		     "c[7]               -     connect  10.0.0.1:80 succeeded\n");
	expect_event("\"kind\":\"result\",\"op\":\"connect\",\"errno\":\"EINPROGRESS\",\"pid\":7,"
		     "\"comm\":\"c\"",
		     "c[7]               -     connect  result  [EINPROGRESS]\n");
	expect_event("\"kind\":\"result\",\"op\":\"connect\",\"path\":\"/run/s\",\"pid\":7,"
		     "\"comm\":\"c\"",
		     "c[7]               -     connect  /run/s succeeded\n");
	expect_event("\"kind\":\"process\",\"op\":\"signal\",\"verdict\":\"deny\",\"signal\":9,"
		     "\"target\":{\"pid\":1,\"comm\":\"init\",\"session\":\"other\"},\"pid\":7,"
		     "\"comm\":\"c\"",
		     "c[7]               deny  signal   init[1] of session other, signal 9\n");
	expect_event("\"kind\":\"exit\",\"op\":\"exit\",\"status\":9,\"pid\":7,\"comm\":\"c\"",
		     "c[7]               -     exit     by signal 9\n");
	expect_event("\"kind\":\"exit\",\"op\":\"exit\",\"status\":768,\"pid\":7,\"comm\":\"c\"",
		     "c[7]               -     exit     with status 3\n");
	expect_event("\"kind\":\"session\",\"op\":\"start\",\"command\":[\"claude\",\"-p\"],"
		     "\"name\":\"blue\",\"mode\":\"observe\"",
		     "-                  -     start    claude -p, name blue, mode observe\n");
	expect_event("\"kind\":\"gap\",\"lost\":17,\"reason\":\"ring buffer full\"",
		     "-                  -     gap      17 records lost  (ring buffer full)\n");
}

/* An entry with a number is one that can be asked about; holds, answers and scores are shown. */
Test(cli_event, holds)
{
	OWNED_TEXT struct text line = { 0 };

	setenv("TZ", "UTC", 1);
	show("\"seq\":17,\"kind\":\"exit\",\"op\":\"exit\",\"status\":0,\"pid\":7,"
	     "\"comm\":\"c\"",
	     &plain, &line);
	cr_expect_str_eq(line.data, "01-02 03:04:05.123 abcdefghij:17   c[7]               "
				    "-     exit     with status 0\n");
	expect_event("\"kind\":\"file\",\"op\":\"write\",\"verdict\":\"hold\",\"path\":\"/a\","
		     "\"rule\":\"x.yaml:3\",\"score\":5.25,\"review\":12,\"pid\":7,"
		     "\"comm\":\"c\",\"flags\":[\"held\"]",
		     "c[7]               hold  write    /a  x.yaml:3  score 5.25  "
		     "[held review 12]\n");
	expect_event("\"kind\":\"file\",\"op\":\"write\",\"verdict\":\"allow\",\"path\":\"/a\","
		     "\"rule\":\"x.yaml:3\",\"score\":0.0,\"review\":12,\"pid\":7,"
		     "\"comm\":\"c\",\"flags\":[\"answered\"]",
		     "c[7]               allow write    /a  x.yaml:3  [answered review 12]\n");
	expect_event("\"kind\":\"review\",\"op\":\"write\",\"state\":\"asked\",\"review\":12,"
		     "\"path\":\"/a\",\"rule\":\"x.yaml:3\",\"score\":5.0,\"pid\":7,"
		     "\"program\":\"/bin/c\"",
		     "c[7]               -     write    /a  review 12 asked  x.yaml:3  "
		     "score 5.00\n");
	expect_event("\"kind\":\"review\",\"op\":\"write\",\"state\":\"allowed\",\"review\":12,"
		     "\"verdict\":\"allow\",\"path\":\"/a\",\"for\":\"session\","
		     "\"by\":\"uid \\u001b\",\"directory\":\"/d\",\"pid\":7,"
		     "\"program\":\"/bin/c\"",
		     "c[7]               allow write    /a  review 12 allowed for session below /d "
		     "by uid \\e\n");
}

/* An agent chooses names and arguments: nothing of them may reach the terminal as it is. */
Test(cli_event, hostile)
{
	setenv("TZ", "UTC", 1);
	expect_event(
		"\"kind\":\"file\",\"op\":\"read\",\"verdict\":\"allow\","
		"\"path\":\"/\\u001b[2J\\n\\u202e/x\",\"pid\":7,\"comm\":\"\\u001b]0;t\\u0007\"",
		"\\e]0;t\\x07[7]      allow read     /\\e[2J\\n\\xe2\\x80\\xae/x\n");
	expect_event("\"kind\":\"\\u001b\",\"op\":\"\\u009b1m\"",
		     "-                  -     -        \n");
	expect_event("\"kind\":\"session\",\"op\":\"\\u009b1m\",\"command\":[\"\\u001b\",7],"
		     "\"name\":\"\\u202e\"",
		     "-                  -     \\xc2\\x9b1m '\\e' , name \\xe2\\x80\\xae\n");
}

Test(cli_event, colours)
{
	const struct term coloured = { .colour = true };
	OWNED_TEXT struct text out = { 0 };

	show("\"kind\":\"file\",\"op\":\"read\",\"verdict\":\"hide\"", &coloured, &out);
	cr_expect(strstr(out.data, "\033[31mhide"), "%s", out.data);
}

/* The same JSON, and nothing in it that a terminal would obey or hide. */
Test(cli_json, ascii)
{
	static const char line[] = "{\"a\":\"\xc3\xa9\xe2\x80\xae\xf0\x9f\x98\x80\x7f\\n\"}";
	OWNED_TEXT struct text out = { 0 };

	cr_expect_eq(view_json((struct record_bytes) { line, sizeof(line) - 1 }, &out), 0);
	cr_expect_str_eq(out.data, "{\"a\":\"\\u00e9\\u202e\\ud83d\\ude00\\u007f\\n\"}\n");
}
