/* SPDX-License-Identifier: MPL-2.0 */
/* Everything goes in as grithd sends it. */
#include <criterion/criterion.h>

#include "lib/base/base.h"
#include "top_fixture.h"

#define LONG_AGO 10000 /* before any key, on the clock of keys */

void top_test_event(struct top_model *model, int64_t before, const char *rest)
{
	OWNED_LOG_EVENT_READER struct log_event_reader reader = { 0 };
	OWNED_TEXT struct text line = { 0 };
	char time[JSON_TIME_SIZE];
	struct log_event event;

	json_format_time((uint64_t)(TOP_TEST_NOW - before) * 1000000, time);
	cr_assert_eq(text_addf(&line, "{\"v\":1,\"time\":\"%s\",\"mono\":1,%s}", time, rest), 0);
	cr_assert_eq(log_event_read(&reader, line.data, line.length, &event), 0, "%s", line.data);
	cr_assert_eq(top_model_event(model, &event), 0);
}

void top_test_read(struct top_model *model, int64_t before, unsigned int sequence, const char *path,
		   const char *verdict)
{
	OWNED_TEXT struct text rest = { 0 };
	bool allowed = !strcmp(verdict, "allow");
	struct json_writer w = { .text = &rest, .comma = true };

	cr_assert_eq(text_addf(&rest,
			       "\"seq\":%u,\"session\":\"abcdefghij\",\"kind\":\"file\","
			       "\"op\":\"read\",\"verdict\":\"%s\"%s",
			       sequence, verdict, allowed ? "" : ",\"errno\":\"EACCES\""),
		     0);
	json_bytes(&w, "path", path, strlen(path));
	cr_assert_eq(text_addf(&rest, "%s",
			       ",\"rule\":\"base.yaml:90\",\"score\":0,\"pid\":4321,\"tid\":4321,"
			       "\"ppid\":4300,\"uid\":1000,\"comm\":\"node\","
			       "\"program\":\"/usr/bin/node\""),
		     0);
	top_test_event(model, before, rest.data);
}

static void put_list(struct top_model *model)
{
	static const char text[] =
		"[{\"id\":\"abcdefghij\",\"name\":\"blue\",\"user\":\"anna\",\"uid\":1000,"
		"\"profile\":\"claude-code\",\"mode\":\"enforce\",\"state\":\"running\","
		"\"started\":\"2026-01-02T02:52:05Z\",\"project\":\"/home/anna/project\","
		"\"counts\":{\"operations\":27791,\"refused\":12,\"lost\":0},\"processes\":["
		"{\"pid\":4300,\"ppid\":4299,\"program\":\"/usr/bin/claude\","
		"\"command\":\"claude --continue\"},"
		"{\"pid\":4321,\"ppid\":4300,\"command\":\"node install.js\"},"
		"{\"pid\":4330,\"ppid\":4321,\"command\":\"sh -c 'git status'\"},"
		"{\"pid\":4331,\"ppid\":4330,\"command\":\"git status --porcelain\"},"
		"{\"pid\":4340,\"ppid\":4300,\"command\":\"rg --files \\u001b[2J\\n\"}]},"
		"{\"id\":\"zyxwvutsrq\",\"name\":\"red\",\"user\":\"bert\",\"uid\":1001,"
		"\"profile\":\"codex\",\"mode\":\"observe\",\"state\":\"frozen\","
		"\"started\":\"2026-01-01T03:04:05Z\",\"project\":\"/home/bert/x\","
		"\"counts\":{\"operations\":150,\"refused\":0,\"lost\":3},\"processes\":["
		"{\"pid\":900,\"ppid\":1,\"command\":\"codex\"}]}]";
	json_auto_t *list = json_loads(text, 0, NULL);

	cr_assert(list);
	cr_assert_eq(top_sessions_list(&model->sessions, list, TOP_TEST_NOW / 1000), 0);
}

static void put_review(struct top_model *model, int id, const char *op, const char *object)
{
	json_auto_t *review = json_pack(
		"{s:i, s:s, s:s, s:b, s:s, s:s, s:s, s:s, s:i, s:f, s:s, s:i, s:{s:s, s:s, s:s, "
		"s:s}}",
		"id", id, "session", "abcdefghij", "state", "waiting", "held", 1, "session_name",
		"blue", "op", op, "object", object, "program", "/usr/bin/node", "pid", 4321,
		"score", 5.0, "expires", "2026-01-02T03:09:00Z", "processes", 1, "covers", "once",
		"this once", "session", "that in the session", "always", "that always", "directory",
		"/home/anna/project/.git");

	cr_assert(review);
	cr_assert_eq(review_model_put(&model->reviews, review, 0), 0);
}

static void put_some_events(struct top_model *model)
{
	top_test_event(model, 2600,
		       "\"session\":\"abcdefghij\",\"kind\":\"session\",\"op\":\"start\","
		       "\"uid\":1000,\"name\":\"blue\",\"command\":[\"claude\"]");
	top_test_event(model, 2500,
		       "\"seq\":900,\"session\":\"abcdefghij\",\"kind\":\"exec\",\"op\":\"exec\","
		       "\"verdict\":\"allow\",\"path\":\"/usr/bin/node\","
		       "\"argv\":[\"node\",\"install.js\",\"a b\"],\"rule\":\"default\","
		       "\"score\":0,\"pid\":4321,\"tid\":4321,\"ppid\":4300,\"uid\":1000,"
		       "\"comm\":\"node\",\"program\":\"/usr/bin/node\"");
	top_test_read(model, 2400, 901, "/home/anna/.ssh/id_ed25519", "deny");
	top_test_event(
		model, 2300,
		"\"seq\":902,\"session\":\"abcdefghij\",\"kind\":\"net\",\"op\":\"connect\","
		"\"verdict\":\"hold\",\"address\":\"2001:db8::1\",\"port\":443,"
		"\"family\":\"inet6\",\"type\":\"stream\","
		"\"rule\":\"claude-code.yaml:31\",\"reason\":\"a host nobody named\","
		"\"score\":6.50,\"context\":3.50,\"parts\":["
		"{\"filter\":\"egress-policy\",\"score\":3.00,\"why\":\"a bare address\"},"
		"{\"filter\":\"taint\",\"score\":3.50,\"why\":\".env was read 12 s before\"}],"
		"\"review\":12,\"pid\":4340,\"tid\":4340,\"ppid\":4300,\"uid\":1000,"
		"\"comm\":\"rg\",\"flags\":[\"held\"]");
	top_test_read(model, 2200, 903, "/tmp/\x1b[2J\n\xe7\x95\x8c\xe2\x80\xae/evil", "hide");
	top_test_event(model, 2100,
		       "\"seq\":904,\"session\":\"abcdefghij\",\"kind\":\"process\","
		       "\"op\":\"touch\",\"verdict\":\"deny\",\"errno\":\"EACCES\","
		       "\"target\":{\"pid\":1,\"comm\":\"systemd\"},\"mode\":2,"
		       "\"rule\":\"default\",\"score\":0,\"pid\":4331,\"tid\":4331,\"ppid\":4330,"
		       "\"uid\":1000,\"comm\":\"git\",\"program\":\"/usr/bin/git\"");
	top_test_event(model, 2000,
		       "\"session\":\"zyxwvutsrq\",\"kind\":\"gap\",\"lost\":3,"
		       "\"reason\":\"ring buffer full\"");
	top_test_event(model, 1900,
		       "\"seq\":905,\"session\":\"abcdefghij\",\"kind\":\"exit\",\"op\":\"exit\","
		       "\"status\":256,\"pid\":4399,\"tid\":4399,\"ppid\":4300,\"uid\":1000,"
		       "\"comm\":\"true\"");
}

void top_test_fill(struct top_model *model)
{
	char path[80];

	setenv("TZ", "UTC", 1);
	put_list(model);
	for (unsigned int i = 0; i < 200; i++) {
		snprintf(path, sizeof(path), "/home/anna/project/node_modules/module-%u/index.js",
			 i * i % 23);
		top_test_read(model, 22600 - 100 * i, i, path, "allow");
	}
	put_some_events(model);
	for (unsigned int i = 0; i < 12; i++)
		top_test_read(model, 1800 - i, 1000 + i, "/etc/passwd", "allow");
	put_review(model, 12, "connect", "[2001:db8::1]:443");
	put_review(model, 13, "write", "/home/anna/project/.git/hooks/pre-commit");
}

char *top_test_picture(struct top_model *model, unsigned int rows, unsigned int columns)
{
	OWNED_PICTURE struct picture picture = { 0 };
	OWNED_TEXT struct text text = { 0 };

	cr_assert_eq(view_top_look(model, rows, columns, TOP_TEST_NOW, &picture), 0);
	cr_assert_eq(picture.count, rows);
	cr_assert_eq(text_add(&text, "", 0), 0);
	for (size_t i = 0; i < picture.count; i++) {
		const char *line = picture.lines[i].text.data;

		cr_assert_leq(term_columns(line), columns, "%s", line);
		cr_assert_leq(picture.lines[i].columns, columns, "%s", line);
		cr_assert(text_is_utf8(line, strlen(line)));
		for (const char *p = line; *p; p++)
			cr_assert((unsigned char)*p >= 0x20 && *p != 0x7f);
		cr_assert_eq(text_addf(&text, "%s\n", line), 0);
	}
	return TAKE_PTR(text.data);
}

enum top_event top_test_key(struct top_model *model, int key, struct review_answer *ret_answer)
{
	OWNED_PICTURE struct picture picture = { 0 };

	cr_assert_eq(view_top_look(model, 24, 80, TOP_TEST_NOW, &picture), 0);
	return top_model_key(model, key, 5, LONG_AGO, ret_answer);
}

void top_test_type(struct top_model *model, const char *keys)
{
	struct review_answer answer;

	for (; *keys; keys++)
		cr_assert_eq(top_test_key(model, (unsigned char)*keys, &answer), TOP_NOTHING, "%c",
			     *keys);
}
