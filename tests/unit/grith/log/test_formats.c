/* SPDX-License-Identifier: MPL-2.0 */
/* Entries of the log for other programs: CSV, and events of the Open Cybersecurity Schema. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <string.h>

#include "grith/log/csv.h"
#include "grith/log/ocsf.h"

#define RECORD                                                    \
	"\"seq\":17,\"pid\":7,\"tid\":8,\"ppid\":6,\"uid\":1000," \
	"\"comm\":\"cat\",\"program\":\"/bin/cat\",\"parent\":\"/bin/sh\","

/* The fields become an entry; its texts live as long as the reader. */
static struct log_event event_of(struct log_event_reader *reader, const char *fields)
{
	static struct text json;
	struct log_event event;

	json.length = 0;
	text_addf(&json,
		  "{\"v\":1,\"time\":\"2026-01-02T03:04:05.123456789Z\","
		  "\"session\":\"abcdefghij\",%s}",
		  fields);
	cr_assert_eq(log_event_read(reader, json.data, json.length, &event), 0, "%s", json.data);
	return event;
}

/* Splits a line as RFC 4180 has it; the number of fields. */
static size_t split(const char *line, char fields[][256], size_t max)
{
	size_t n = 0, length = 0;
	bool quoted = false;

	for (const char *p = line;; p++) {
		if (quoted && p[0] == '"' && p[1] == '"') {
			fields[n][length++] = *p++;
		} else if (*p == '"') {
			quoted = !quoted;
		} else if (!quoted && (*p == ',' || *p == '\r')) {
			fields[n++][length] = '\0';
			length = 0;
			if (*p == '\r')
				break;
			cr_assert_lt(n, max);
		} else {
			cr_assert(*p, "no end: %s", line);
			fields[n][length++] = *p;
		}
		cr_assert_lt(length, 255);
	}
	cr_assert_not(quoted);
	return n;
}

static const char *column(const char *name, char fields[][256])
{
	static char names[64][256];
	OWNED_TEXT struct text header = { 0 };
	size_t count;

	cr_assert_eq(view_csv_header(&header), 0);
	count = split(header.data, names, 64);
	for (size_t i = 0; i < count; i++)
		if (!strcmp(names[i], name))
			return fields[i];
	cr_assert_fail("no column %s", name);
	return "";
}

static void expect_csv(const char *fields, const char *name, const char *wanted)
{
	OWNED_LOG_EVENT_READER struct log_event_reader reader = { 0 };
	OWNED_TEXT struct text line = { 0 }, header = { 0 };
	struct log_event event = event_of(&reader, fields);
	char cells[64][256], names[64][256];

	cr_assert_eq(view_csv(&event, &line), 0);
	cr_assert_eq(view_csv_header(&header), 0);
	cr_assert_str_eq(line.data + line.length - 2, "\r\n");
	cr_assert_eq(split(line.data, cells, 64), split(header.data, names, 64), "%s", line.data);
	cr_assert_str_eq(column(name, cells), wanted, "%s", line.data);
}

Test(cli_csv, cells)
{
	static const char file[] = RECORD "\"kind\":\"file\",\"op\":\"read\",\"verdict\":\"deny\","
					  "\"errno\":\"EACCES\",\"path\":\"/a,\\\"b\\\" \","
					  "\"score\":-1.50,\"flags\":[\"uring\",\"held\"]";

	expect_csv(file, "time", "2026-01-02T03:04:05.123456789Z");
	expect_csv(file, "seq", "17");
	expect_csv(file, "verdict", "deny");
	expect_csv(file, "errno", "EACCES");
	expect_csv(file, "path", "/a,\"b\" ");
	expect_csv(file, "score", "-1.50");
	expect_csv(file, "flags", "uring held");
	expect_csv(file, "target_pid", "");
	expect_csv("\"kind\":\"gap\",\"lost\":3,\"reason\":\"x\"", "lost", "3");
	expect_csv("\"kind\":\"gap\",\"lost\":3,\"reason\":\"x\"", "pid", "");
	expect_csv(RECORD "\"kind\":\"exit\",\"op\":\"exit\",\"status\":-1", "status", "-1");
	expect_csv(RECORD "\"kind\":\"exec\",\"op\":\"exec\",\"verdict\":\"allow\","
			  "\"argv\":[\"a\",\"b c\",\"\\n\"]",
		   "command", "a 'b c' '\\n'");
}

/* What a spreadsheet would compute, a terminal obey, or a reader take for more lines. */
Test(cli_csv, hostile)
{
	static const struct {
		const char *json, *wanted;
	} cases[] = {
		{ "=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0" },
		{ "+1", "'+1" },
		{ "-1", "'-1" },
		{ "@SUM(1)", "'@SUM(1)" },
		{ "\\t=1", "\\t=1" },
		{ " =1", " =1" },
		{ "a\\r\\nb", "a\\r\\nb" },
		{ "\\u001b[2J", "\\e[2J" },
		{ "\\u202e", "\\xe2\\x80\\xae" },
		{ "\\\"=1", "\"=1" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		OWNED_TEXT struct text fields = { 0 };

		text_addf(&fields, RECORD "\"kind\":\"file\",\"op\":\"read\",\"path\":\"%s\"",
			  cases[i].json);
		expect_csv(fields.data, "path", cases[i].wanted);
	}
	expect_csv(RECORD "\"kind\":\"file\",\"path\":\"?\",\"path_hex\":\"3dff\"", "path",
		   "'=\\xff");
}

/* Valid until the next call. */
static json_t *ocsf(const char *fields)
{
	static json_t *json;
	OWNED_LOG_EVENT_READER struct log_event_reader reader = { 0 };
	struct log_event event = event_of(&reader, fields);
	OWNED_OCSF_MEMORY struct ocsf_memory memory = { .host = "box" };
	OWNED_TEXT struct text line = { 0 };

	json_decref(json);
	cr_assert_eq(view_ocsf(&event, &memory, &line), 0);
	cr_assert_eq(strchr(line.data, '\n') - line.data, (ptrdiff_t)line.length - 1);
	json = json_loads(line.data, JSON_REJECT_DUPLICATES, NULL);
	cr_assert_not_null(json, "%s", line.data);
	return json;
}

/* "a.b.c" */
static json_t *at(json_t *json, const char *path)
{
	OWNED_MEM char *copy = strdup(path);
	char *next = copy;

	for (char *key; (key = strsep(&next, "."));)
		json = json_object_get(json, key);
	return json;
}

static int64_t number(json_t *json, const char *path)
{
	cr_assert(json_is_integer(at(json, path)), "%s in %s", path, json_dumps(json, 0));
	return json_integer_value(at(json, path));
}

static const char *text(json_t *json, const char *path)
{
	cr_assert(json_is_string(at(json, path)), "%s in %s", path, json_dumps(json, 0));
	return json_string_value(at(json, path));
}

/* What the schema requires of every event, and of those of each class. */
static json_t *expect_ocsf(const char *fields, int class, int activity)
{
	json_t *json = ocsf(fields);

	cr_assert_eq(number(json, "class_uid"), class);
	cr_assert_eq(number(json, "activity_id"), activity, "%s", json_dumps(json, 0));
	cr_assert_eq(number(json, "category_uid"), class / 1000);
	text(json, "activity_name");
	cr_assert_eq(number(json, "type_uid"), class * 100 + activity);
	cr_assert_eq(number(json, "time"), INT64_C(1767323045123));
	cr_assert_geq(number(json, "severity_id"), 1);
	cr_assert_str_eq(text(json, "metadata.version"), "1.3.0");
	cr_assert_str_eq(text(json, "metadata.product.vendor_name"), "grith");
	cr_assert_str_eq(text(json, "metadata.original_time"), "2026-01-02T03:04:05.123456789Z");
	cr_assert_str_eq(json_string_value(json_array_get(at(json, "metadata.profiles"), 0)),
			 "security_control");
	if (class == OCSF_BASE)
		return json;
	cr_assert_eq(number(json, "actor.process.pid"), 7);
	cr_assert_str_eq(text(json, "actor.user.uid"), "1000");
	number(json, "device.type_id");
	cr_assert_str_eq(text(json, "device.hostname"), "box");
	if (class == OCSF_FILE) {
		text(json, "file.name");
		number(json, "file.type_id");
	} else if (class == OCSF_PROCESS) {
		number(json, "process.pid");
	} else {
		cr_assert(at(json, "dst_endpoint.ip") || at(json, "dst_endpoint.name"));
		number(json, "connection_info.direction_id");
	}
	return json;
}

Test(cli_ocsf, files)
{
	json_t *json = expect_ocsf(RECORD "\"kind\":\"file\",\"op\":\"read\",\"verdict\":\"deny\","
					  "\"errno\":\"EACCES\",\"path\":\"/home/u/.ssh/id\","
					  "\"rule\":\"base.yaml:3\",\"reason\":\"keys\"",
				   OCSF_FILE, 2);

	cr_assert_str_eq(text(json, "file.path"), "/home/u/.ssh/id");
	cr_assert_str_eq(text(json, "file.name"), "id");
	cr_assert_str_eq(text(json, "disposition"), "Blocked");
	cr_assert_eq(number(json, "disposition_id"), 2);
	cr_assert_eq(number(json, "action_id"), 2);
	cr_assert_eq(number(json, "status_id"), 2);
	cr_assert_str_eq(text(json, "policy.uid"), "base.yaml:3");
	cr_assert_str_eq(text(json, "metadata.uid"), "abcdefghij:17");
	json = expect_ocsf(RECORD "\"kind\":\"file\",\"op\":\"rename\",\"verdict\":\"allow\","
				  "\"path\":\"/a\",\"path2\":\"?\",\"path2_hex\":\"2fff\"",
			   OCSF_FILE, 5);
	cr_assert_str_eq(text(json, "file_result.path"), "/\\xff");
	cr_assert_str_eq(text(json, "disposition"), "Allowed");
	json = expect_ocsf(RECORD "\"kind\":\"file\",\"op\":\"write\",\"verdict\":\"deny\","
				  "\"path\":\"/a\",\"flags\":[\"observed\"]",
			   OCSF_FILE, 3);
	cr_assert_str_eq(text(json, "disposition"), "Detected");
	cr_assert_eq(number(json, "status_id"), 1);
	json = expect_ocsf(RECORD "\"kind\":\"file\",\"op\":\"create\",\"verdict\":\"hold\","
				  "\"errno\":513,\"path\":\"/a\",\"flags\":[\"held\"]",
			   OCSF_FILE, 1);
	cr_assert_str_eq(text(json, "disposition"), "Delayed");
	expect_ocsf(RECORD "\"kind\":\"file\",\"op\":\"delete\",\"verdict\":\"allow\"", OCSF_FILE,
		    4);
}

Test(cli_ocsf, processes)
{
	json_t *json = expect_ocsf(RECORD "\"kind\":\"exec\",\"op\":\"exec\",\"verdict\":\"allow\","
					  "\"path\":\"/bin/ls\",\"argv\":[\"ls\",\"a b\"]",
				   OCSF_PROCESS, 1);

	cr_assert_str_eq(text(json, "process.cmd_line"), "ls 'a b'");
	cr_assert_str_eq(text(json, "process.file.path"), "/bin/ls");
	expect_ocsf(RECORD "\"kind\":\"file\",\"op\":\"exec\",\"verdict\":\"deny\","
			   "\"path\":\"/bin/ls\"",
		    OCSF_PROCESS, 1);
	expect_ocsf(RECORD "\"kind\":\"file\",\"op\":\"exec\",\"verdict\":\"allow\","
			   "\"path\":\"/bin/ls\"",
		    OCSF_FILE, 14);
	json = expect_ocsf(RECORD "\"kind\":\"exit\",\"op\":\"exit\",\"status\":256", OCSF_PROCESS,
			   2);
	cr_assert_eq(number(json, "exit_code"), 256);
	json = expect_ocsf(RECORD "\"kind\":\"process\",\"op\":\"touch\",\"verdict\":\"deny\","
				  "\"target\":{\"pid\":99,\"comm\":\"x\"},\"mode\":1",
			   OCSF_PROCESS, 3);
	cr_assert_eq(number(json, "process.pid"), 99);
}

Test(cli_ocsf, networks)
{
	json_t *json =
		expect_ocsf(RECORD "\"kind\":\"net\",\"op\":\"connect\",\"verdict\":\"deny\","
				   "\"errno\":\"EACCES\",\"address\":\"::1\",\"port\":443,"
				   "\"family\":\"inet6\",\"type\":\"stream\"",
			    OCSF_NETWORK, 5);

	cr_assert_str_eq(text(json, "dst_endpoint.ip"), "::1");
	cr_assert_eq(number(json, "dst_endpoint.port"), 443);
	cr_assert_eq(number(json, "connection_info.protocol_ver_id"), 6);
	expect_ocsf(RECORD "\"kind\":\"net\",\"op\":\"listen\",\"verdict\":\"allow\","
			   "\"address\":\"127.0.0.1\",\"port\":80",
		    OCSF_NETWORK, 7);
	expect_ocsf(RECORD "\"kind\":\"result\",\"op\":\"connect\",\"errno\":\"ECONNREFUSED\","
			   "\"address\":\"10.0.0.1\",\"port\":80",
		    OCSF_NETWORK, 4);
	json = expect_ocsf(RECORD "\"kind\":\"unix\",\"op\":\"connect\",\"verdict\":\"allow\","
				  "\"path\":\"/run/docker.sock\",\"flags\":[\"unix\"]",
			   OCSF_NETWORK, 1);
	cr_assert_str_eq(text(json, "dst_endpoint.name"), "/run/docker.sock");
}

#define ACTOR(pid, comm, program)                                                                 \
	"\"kind\":\"file\",\"op\":\"read\",\"path\":\"/a\",\"pid\":" pid ",\"tid\":8,\"ppid\":6," \
	"\"uid\":1000,\"comm\":\"" comm "\",\"program\":\"" program "\""

/* What is remembered of the line before never shows in another process's. */
Test(cli_ocsf, actors)
{
	static const struct {
		const char *fields, *program;
		int64_t pid;
	} lines[] = {
		{ ACTOR("7", "cat", "/bin/cat"), "/bin/cat", 7 },
		{ ACTOR("7", "cat", "/bin/cat"), "/bin/cat", 7 },
		{ ACTOR("71", "cat", "/bin/cat"), "/bin/cat", 71 },
		{ ACTOR("71", "cat", "/bin/dog"), "/bin/dog", 71 },
		{ ACTOR("71", "cat/", "bin/dog"), "bin/dog", 71 }, /* the same bytes in a row */
		{ ACTOR("7", "cat", "/bin/cat"), "/bin/cat", 7 },
	};
	OWNED_LOG_EVENT_READER struct log_event_reader reader = { 0 };
	OWNED_OCSF_MEMORY struct ocsf_memory memory = { .host = "box" };

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct log_event event = event_of(&reader, lines[i].fields);
		OWNED_OCSF_MEMORY struct ocsf_memory fresh = { .host = "box" };
		OWNED_TEXT struct text line = { 0 }, alone = { 0 };
		json_auto_t *json = NULL;

		cr_assert_eq(view_ocsf(&event, &memory, &line), 0);
		cr_assert_eq(view_ocsf(&event, &fresh, &alone), 0);
		cr_assert_str_eq(line.data, alone.data);
		json = json_loads(line.data, JSON_REJECT_DUPLICATES, NULL);
		cr_assert_not_null(json, "%s", line.data);
		cr_assert_eq(number(json, "actor.process.pid"), lines[i].pid);
		cr_assert_str_eq(text(json, "actor.process.file.path"), lines[i].program);
		cr_assert_str_eq(text(json, "actor.session.uid"), "abcdefghij");
	}
}

Test(cli_ocsf, everything_else)
{
	json_t *json =
		expect_ocsf("\"kind\":\"gap\",\"lost\":17,\"reason\":\"full\"", OCSF_BASE, 99);

	cr_assert_str_eq(text(json, "message"), "full");
	cr_assert_eq(number(json, "unmapped.lost"), 17);
	expect_ocsf("\"kind\":\"later\",\"op\":\"later\"", OCSF_BASE, 99);
	expect_ocsf("\"kind\":\"session\",\"op\":\"start\",\"uid\":1000", OCSF_BASE, 99);
	expect_ocsf(RECORD "\"kind\":\"net\",\"op\":\"socket\",\"verdict\":\"allow\","
			   "\"family\":\"inet\",\"type\":\"raw\"",
		    OCSF_BASE, 99);
}
