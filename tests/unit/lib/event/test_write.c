/* SPDX-License-Identifier: MPL-2.0 */
/* Lines of the audit log as they are documented: every field, its order, and what is left out. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <criterion/criterion.h>
#include <jansson.h>

#include "lib/event/event.h"

#define HEAD_JSON "{\"v\":1,\"time\":\"2026-01-02T03:04:05.123456789Z\",\"mono\":42,"
#define TAIL_JSON                                                                                 \
	"\"pid\":10,\"tid\":11,\"ppid\":9,\"uid\":1000,\"comm\":\"node\",\"program\":\"/usr/bin/" \
	"node\",\"parent\":\"/bin/sh\",\"attach\":\"lsm\""

static const struct event_head head = { UINT64_C(1767323045123456789), 42, "abcdefghij" };

static struct record record_of(enum grith_kind kind, enum grith_op op)
{
	return (struct record){
		.head = {
			.version = GRITH_ABI_VERSION, .kind = kind, .op = op, .sequence = 3,
			.pid = 10, .tid = 11, .ppid = 9, .uid = 1000,
		},
		.comm = "node",
	};
}

static struct event_operation event_of(const struct record *record)
{
	return (struct event_operation) {
		.head = head,
		.record = record,
		.program = "/usr/bin/node",
		.parent = "/bin/sh",
		.attach = "lsm",
	};
}

static void expect(const struct event_operation *event, const char *wanted)
{
	OWNED_TEXT struct text text = { 0 };
	json_t *read;

	cr_assert_eq(event_add_operation(&text, event), 0);
	cr_assert_str_eq(text.data, wanted);
	read = json_loads(text.data, JSON_REJECT_DUPLICATES, NULL);
	cr_assert_not_null(read);
	json_decref(read);
}

static struct record_bytes bytes(const char *text)
{
	return (struct record_bytes) { text, strlen(text) };
}

Test(event, a_refused_read)
{
	struct record record = record_of(GRITH_KIND_PATH, GRITH_OP_READ);
	struct event_operation event = event_of(&record);

	record.head.verdict = GRITH_DENY;
	record.head.error = -EACCES;
	record.head.score = 850;
	record.head.flags = GRITH_RECORD_URING | GRITH_RECORD_OBSERVED;
	record.path = bytes("/home/u/.ssh/id_rsa");
	record.inode = UINT64_MAX;
	record.device = 8 << 20 | 17;
	event.rule_file = "base.yaml";
	event.rule_line = 12;
	event.reason = "private SSH keys";
	expect(&event, HEAD_JSON
	       "\"seq\":3,\"session\":\"abcdefghij\",\"kind\":\"file\",\"op\":\"read\","
	       "\"verdict\":\"deny\",\"errno\":\"EACCES\",\"path\":\"/home/u/.ssh/id_rsa\","
	       "\"rule\":\"base.yaml:12\",\"reason\":\"private SSH keys\",\"score\":8.50," TAIL_JSON
	       ",\"flags\":[\"uring\",\"observed\"],"
	       "\"inode\":\"18446744073709551615\",\"device\":\"8:17\"}\n");
}

Test(event, a_rename_has_both_names)
{
	struct record record = record_of(GRITH_KIND_PATH, GRITH_OP_RENAME);
	struct event_operation event = event_of(&record);

	record.path = bytes("/a\xff");
	record.second = bytes("/b\n");
	expect(&event, HEAD_JSON
	       "\"seq\":3,\"session\":\"abcdefghij\",\"kind\":\"file\",\"op\":\"rename\","
	       "\"verdict\":\"allow\",\"path\":\"/a\xef\xbf\xbd\",\"path_hex\":\"2f61ff\","
	       "\"path2\":\"/b\\u000a\",\"rule\":\"default\",\"score\":0.00," TAIL_JSON "}\n");
}

Test(event, a_unix_socket)
{
	struct record record = record_of(GRITH_KIND_PATH, GRITH_OP_CONNECT);
	struct event_operation event = event_of(&record);

	record.head.flags = GRITH_RECORD_UNIX;
	record.path = bytes("/run/docker.sock");
	expect(&event, HEAD_JSON
	       "\"seq\":3,\"session\":\"abcdefghij\",\"kind\":\"unix\",\"op\":\"connect\","
	       "\"verdict\":\"allow\",\"path\":\"/run/docker.sock\",\"rule\":\"default\","
	       "\"score\":0.00," TAIL_JSON ",\"flags\":[\"unix\"]}\n");
}

Test(event, addresses)
{
	struct record record = record_of(GRITH_KIND_NET, GRITH_OP_CONNECT);
	struct event_operation event = event_of(&record);

	record.family = AF_INET;
	record.type = SOCK_STREAM;
	record.protocol = 6;
	record.port = 443;
	memcpy(record.address, "\0\0\0\0\0\0\0\0\0\0\xff\xff\x7f\0\0\x01", 16);
	expect(&event, HEAD_JSON
	       "\"seq\":3,\"session\":\"abcdefghij\",\"kind\":\"net\",\"op\":\"connect\","
	       "\"verdict\":\"allow\",\"address\":\"127.0.0.1\",\"port\":443,\"family\":\"inet\","
	       "\"type\":\"stream\",\"protocol\":6,\"rule\":\"default\",\"score\":0.00," TAIL_JSON
	       "}\n");
	record.family = AF_INET6;
	memcpy(record.address, "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x01", 16);
	expect(&event, HEAD_JSON
	       "\"seq\":3,\"session\":\"abcdefghij\",\"kind\":\"net\",\"op\":\"connect\","
	       "\"verdict\":\"allow\",\"address\":\"2001:db8::1\",\"port\":443,"
	       "\"family\":\"inet6\",\"type\":\"stream\",\"protocol\":6,\"rule\":\"default\","
	       "\"score\":0.00," TAIL_JSON "}\n");
}

Test(event, a_socket_has_no_address)
{
	struct record record = record_of(GRITH_KIND_NET, GRITH_OP_SOCKET);
	struct event_operation event = event_of(&record);

	record.family = 200;
	record.type = 99;
	expect(&event,
	       HEAD_JSON "\"seq\":3,\"session\":\"abcdefghij\",\"kind\":\"net\",\"op\":\"socket\","
			 "\"verdict\":\"allow\",\"family\":200,\"type\":99,\"rule\":\"default\","
			 "\"score\":0.00," TAIL_JSON "}\n");
}

Test(event, an_exec_has_its_arguments)
{
	struct record record = record_of(GRITH_KIND_EXEC, GRITH_OP_EXEC);
	struct event_operation event = event_of(&record);

	record.path = bytes("/bin/ls");
	record.origin.streams[0] = (struct grith_stream) { 5, 4, S_IFCHR, 0 };
	record.origin.streams[1] = (struct grith_stream) { 77, 13, S_IFIFO, 0 };
	event.argv = (struct record_bytes) { "ls\0\0-l\xff", 7 };
	expect(&event, HEAD_JSON
	       "\"seq\":3,\"session\":\"abcdefghij\",\"kind\":\"exec\",\"op\":\"exec\","
	       "\"verdict\":\"allow\",\"path\":\"/bin/ls\",\"argv\":[\"ls\",\"\",\"-l\xef\xbf\xbd\"],"
	       "\"argv_hex\":[\"6c73\",\"\",\"2d6cff\"],\"streams\":[{\"fd\":1,\"type\":\"pipe\","
	       "\"inode\":\"77\",\"device\":\"0:13\"}],\"rule\":\"default\",\"score\":0.00," TAIL_JSON
	       "}\n");
}

Test(event, how_a_secret_came_to_the_process)
{
	struct record record = record_of(GRITH_KIND_NET, GRITH_OP_CONNECT);
	struct event_operation event = event_of(&record);
	const struct flow_chain chain = {
		.forgotten = true,
		.omitted = true,
		.n_steps = 2,
		.steps = { { 40, FLOW_READ, 12, "/bin/cat", "/p/\xff" },
			   { 41, FLOW_STARTED, 13, NULL, "/bin/sh" } },
	};

	record.head.verdict = GRITH_DENY;
	event.chain = &chain;
	expect(&event,
	       HEAD_JSON "\"seq\":3,\"session\":\"abcdefghij\",\"kind\":\"net\",\"op\":\"connect\","
			 "\"verdict\":\"deny\",\"rule\":\"default\",\"score\":0.00,\"chain\":["
			 "{\"what\":\"forgotten\"},"
			 "{\"time\":\"2026-01-02T03:04:05.123456787Z\",\"what\":\"read\","
			 "\"object\":\"/p/\xef\xbf\xbd\",\"object_hex\":\"2f702fff\","
			 "\"program\":\"/bin/cat\",\"pid\":12},{\"what\":\"omitted\"},"
			 "{\"time\":\"2026-01-02T03:04:05.123456788Z\",\"what\":\"started\","
			 "\"object\":\"/bin/sh\",\"pid\":13}]," TAIL_JSON "}\n");
}

Test(event, another_process)
{
	struct record record = record_of(GRITH_KIND_PROCESS, GRITH_OP_SIGNAL);
	struct event_operation event = event_of(&record);

	record.target = 77;
	record.mode = 9;
	memcpy(record.target_comm, "systemd", 8);
	event.target_session = "bcdefghijk";
	record.head.verdict = GRITH_DENY;
	expect(&event, HEAD_JSON
	       "\"seq\":3,\"session\":\"abcdefghij\",\"kind\":\"process\","
	       "\"op\":\"signal\",\"verdict\":\"deny\",\"target\":{\"pid\":77,\"comm\":\"systemd\","
	       "\"session\":\"bcdefghijk\"},\"signal\":9,\"rule\":\"default\",\"score\":0.00," TAIL_JSON
	       "}\n");
}

Test(event, an_exit_was_not_decided)
{
	struct record record = record_of(GRITH_KIND_EXIT, GRITH_OP_EXIT);
	struct event_operation event = event_of(&record);

	record.head.error = 256;
	expect(&event,
	       HEAD_JSON "\"seq\":3,\"session\":\"abcdefghij\",\"kind\":\"exit\",\"op\":\"exit\","
			 "\"status\":256," TAIL_JSON "}\n");
}

Test(event, what_is_unknown_is_left_out)
{
	struct record record = record_of(GRITH_KIND_RING, GRITH_OP_RING);
	struct event_operation event = { .head = head, .record = &record };

	expect(&event, HEAD_JSON
	       "\"seq\":3,\"session\":\"abcdefghij\",\"kind\":\"ring\",\"op\":\"ring\","
	       "\"verdict\":\"allow\",\"rule\":\"default\",\"score\":0.00,\"pid\":10,\"tid\":11,"
	       "\"ppid\":9,\"uid\":1000,\"comm\":\"node\"}\n");
}

Test(event, a_session)
{
	OWNED_TEXT struct text text = { 0 };
	const char *command[] = { "claude", "-p", "a\"b" };
	struct event_session event = {
		.head = head,
		.change = EVENT_START,
		.uid = 1000,
		.name = "blue",
		.user = "u",
		.profile = "generic",
		.mode = "enforce",
		.project = "/p",
		.command = command,
		.n_command = 3,
		.worktrees = (const char *[]) { "/q", "/r" },
		.n_worktrees = 2,
	};

	cr_assert_eq(event_add_session(&text, &event), 0);
	cr_assert_str_eq(text.data, HEAD_JSON
			 "\"session\":\"abcdefghij\",\"kind\":\"session\",\"op\":\"start\","
			 "\"uid\":1000,\"name\":\"blue\",\"user\":\"u\",\"profile\":\"generic\","
			 "\"mode\":\"enforce\",\"project\":\"/p\","
			 "\"worktrees\":[\"/q\",\"/r\"],"
			 "\"command\":[\"claude\",\"-p\",\"a\\\"b\"]}\n");
}

Test(event, a_gap)
{
	OWNED_TEXT struct text text = { 0 };
	struct event_gap event = { .head = head, .lost = 17, .reason = "r" };

	event.head.session = NULL;
	cr_assert_eq(event_add_gap(&text, &event), 0);
	cr_assert_str_eq(text.data, HEAD_JSON "\"kind\":\"gap\",\"lost\":17,\"reason\":\"r\"}\n");
	text.length = 0;
	event.next = 5;
	cr_assert_eq(event_add_gap(&text, &event), 0);
	cr_assert_str_eq(text.data,
			 HEAD_JSON "\"kind\":\"gap\",\"next\":5,\"lost\":17,\"reason\":\"r\"}\n");
}

static const struct score scored = {
	.parts = {
		{ .filter = FILTER_TAINT, .score = 300, .why = "an \"old\" secret\n" },
		{ .filter = FILTER_RULE, .score = 50, .why = "a rule" },
	},
	.n_parts = 2,
	.total = 350,
};

static json_t *read_one(const struct text *text)
{
	json_t *json = json_loads(text->data, JSON_REJECT_DUPLICATES, NULL);

	cr_assert_not_null(json, "%s", text->data);
	cr_assert_eq(strchr(text->data, '\n') - text->data, (ptrdiff_t)text->length - 1);
	return json;
}

Test(event, what_the_session_added)
{
	OWNED_TEXT struct text text = { 0 };
	struct record record = record_of(GRITH_KIND_PATH, GRITH_OP_READ);
	struct event_operation event = event_of(&record);
	json_t *json, *filters;

	record.path = bytes("/a");
	record.head.verdict = GRITH_HOLD;
	record.head.flags = GRITH_RECORD_HELD;
	record.head.score = 350;
	record.head.context = 300;
	record.head.filters = GRITH_CONTEXT_TAINT | GRITH_CONTEXT_MASS;
	record.head.review = 12;
	event.score = &scored;
	cr_assert_eq(event_add_operation(&text, &event), 0);
	json = read_one(&text);
	cr_assert_eq(json_number_value(json_object_get(json, "context")), 3.0);
	filters = json_object_get(json, "filters");
	cr_assert_eq(json_array_size(filters), 2);
	cr_assert_str_eq(json_string_value(json_array_get(filters, 0)), filter_name(FILTER_TAINT));
	cr_assert_eq(json_integer_value(json_object_get(json, "review")), 12);
	cr_assert_eq(json_array_size(json_object_get(json, "parts")), 2);
	json_decref(json);
}

/* Bits of a newer kernel side: those that have a word are listed. */
Test(event, filters_without_a_word, .timeout = 30)
{
	OWNED_TEXT struct text text = { 0 };
	struct record record = record_of(GRITH_KIND_PATH, GRITH_OP_READ);
	struct event_operation event = event_of(&record);
	json_t *json;

	record.path = bytes("/a");
	record.head.context = 300;
	record.head.filters = UINT32_MAX;
	cr_assert_eq(event_add_operation(&text, &event), 0);
	json = read_one(&text);
	cr_assert_eq(json_array_size(json_object_get(json, "filters")),
		     0 GRITH_CONTEXT_TABLE(GRITH_ADD_ONE));
	json_decref(json);
}

Test(event, a_review)
{
	OWNED_TEXT struct text text = { 0 };
	struct event_review review = {
		.state = "allowed",
		.review = 12,
		.op = "read",
		.object = { "/a\n\xff", 4 },
		.rule = "base.yaml:3",
		.reason = "why",
		.score = &scored,
		.verdict = "allow",
		.scope = "session",
		.by = "uid 1000",
		.directory = "/",
		.pid = 10,
	};
	struct event_session event = { .head = head, .review = &review };
	json_t *json, *part;

	cr_assert_eq(event_add_session(&text, &event), 0);
	json = read_one(&text);
	cr_assert_str_eq(json_string_value(json_object_get(json, "kind")), "review");
	cr_assert_str_eq(json_string_value(json_object_get(json, "path_hex")), "2f610aff");
	cr_assert_str_eq(json_string_value(json_object_get(json, "by")), "uid 1000");
	cr_assert_str_eq(json_string_value(json_object_get(json, "for")), "session");
	cr_assert_eq(json_number_value(json_object_get(json, "score")), 3.5);
	part = json_array_get(json_object_get(json, "parts"), 0);
	cr_assert_str_eq(json_string_value(json_object_get(part, "why")), scored.parts[0].why);
	json_decref(json);
}
