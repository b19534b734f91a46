/* SPDX-License-Identifier: MPL-2.0 */
/* The log read back: what was written is what is read, and nothing else is taken for a line. */
#include <sys/socket.h>

#include <criterion/criterion.h>

#include "lib/base/base.h"
#include "lib/event/event.h"

static const struct event_head head = { UINT64_C(1767323045123456789), 42, "abcdefghij" };

/* Reads from memory that ends with the line, so that a look beyond it is seen. */
static int read_exactly(struct log_event_reader *reader, const char *line, size_t length,
			struct log_event *ret_event)
{
	static char *copy;

	free(copy);
	copy = malloc(length ? length : 1);
	memcpy(copy, line, length);
	return log_event_read(reader, copy, length, ret_event);
}

static void expect(struct record_bytes bytes, const char *wanted, size_t length)
{
	cr_assert(bytes.length == length && (!length || !memcmp(bytes.data, wanted, length)),
		  "%.*s instead of %.*s", (int)bytes.length, bytes.data, (int)length, wanted);
}

static void expect_text(struct record_bytes bytes, const char *wanted)
{
	expect(bytes, wanted ? wanted : "", wanted ? strlen(wanted) : 0);
}

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

static void read_operation(struct log_event_reader *reader, const struct record *record,
			   struct record_bytes argv, struct log_event *ret_event)
{
	OWNED_TEXT struct text text = { 0 };
	struct event_operation event = {
		.head = head,
		.record = record,
		.argv = argv,
		.rule_file = "base.yaml",
		.rule_line = 12,
		.reason = "a\n\"b\"\xff",
		.program = "/usr/bin/node\xfe",
		.parent = "/bin/\xe2\x82\xac",
		.attach = "lsm",
		.target_session = record->target ? "bcdefghijk" : NULL,
	};

	cr_assert_eq(event_add_operation(&text, &event), 0);
	cr_assert_eq(read_exactly(reader, text.data, text.length - 1, ret_event), 0, "%s",
		     text.data);
	cr_assert_eq(ret_event->time, head.time);
	cr_assert_eq(ret_event->mono, head.mono);
	cr_assert_eq(ret_event->sequence, record->head.sequence);
	cr_assert_eq(ret_event->op, record->head.op);
	cr_assert_eq(ret_event->flags, record->head.flags & ~GRITH_RECORD_MORE);
	cr_assert(ret_event->pid == 10 && ret_event->tid == 11 && ret_event->ppid == 9 &&
		  ret_event->uid == 1000);
	expect_text(ret_event->session, head.session);
	expect_text(ret_event->comm, record->comm);
	expect_text(ret_event->program, event.program);
	expect_text(ret_event->parent, event.parent);
	if (ret_event->decided) {
		expect_text(ret_event->rule, "base.yaml:12");
		expect_text(ret_event->reason, event.reason);
	}
}

/* Every operation, verdict and flag, and every error a kernel has. */
Test(log_event, words)
{
	OWNED_LOG_EVENT_READER struct log_event_reader reader = { 0 };
	struct log_event event;

	for (int i = 0; i < 4096; i++) {
		struct record record = record_of(GRITH_KIND_PATH, 1 + i % (GRITH_OPS - 1));

		record.head.verdict = i % GRITH_VERDICTS;
		record.head.error = -i;
		record.head.flags = (uint16_t)(i * 2 * GRITH_RECORD_READ_TOO | i % 256) &
				    ~(GRITH_RECORD_UNIX | GRITH_RECORD_ABSTRACT | 0xc000);
		record.head.score = (int16_t)(i * 16 - 32768);
		record.head.context = (int16_t)(i - 2048);
		record.head.review = (uint32_t)i;
		read_operation(&reader, &record, (struct record_bytes) { 0 }, &event);
		cr_assert_eq(event.kind, LOG_FILE);
		cr_assert(event.decided);
		cr_assert_eq(event.verdict, record.head.verdict);
		cr_assert_eq(event.error,
			     record.head.flags & GRITH_RECORD_HELD ? 0 : i); /* no program saw it */
		cr_assert_eq(event.score, record.head.score);
		cr_assert_eq(event.context, record.head.context);
		cr_assert_eq(event.review, (uint32_t)i);
		cr_assert_eq(log_event_is_refused(&event),
			     i != 0 && !(record.head.flags & GRITH_RECORD_HELD));
	}
}

/* Whatever bytes there are, alone and among others. */
Test(log_event, paths)
{
	OWNED_LOG_EVENT_READER struct log_event_reader reader = { 0 };
	struct record record = record_of(GRITH_KIND_PATH, GRITH_OP_RENAME);
	struct log_event event;
	char first[] = "/home/u/a-long-name-of-more-than-eight-bytes-x", second[4096];

	memset(second, '\x01', sizeof(second));
	record.path = (struct record_bytes) { first, sizeof(first) - 1 };
	record.inode = UINT64_MAX;
	record.device = 8 << 20 | 17;
	record.head.flags = GRITH_RECORD_UNIX;
	for (int i = 0; i < 256; i++) {
		first[10 + i % 20] = (char)i;
		record.second = (struct record_bytes) { second, 1 + i * 16 };
		second[i * 16] = (char)i;
		read_operation(&reader, &record, (struct record_bytes) { 0 }, &event);
		cr_assert_eq(event.kind, LOG_UNIX);
		expect(event.path, first, sizeof(first) - 1);
		expect(event.second, second, 1 + i * 16);
		cr_assert_eq(event.inode, UINT64_MAX);
		expect_text(event.device, "8:17");
	}
}

Test(log_event, arguments)
{
	static const struct {
		const char *bytes;
		size_t length;
	} cases[] = {
		{ "ls\0", 3 },
		{ "a\0\0b\nc\0\"\\\0", 10 },
		{ "a\0-l\xff\0\0", 7 },
		{ "\xe2\x82\xac\0\x7f\0", 6 },
	};
	OWNED_LOG_EVENT_READER struct log_event_reader reader = { 0 };
	struct record record = record_of(GRITH_KIND_EXEC, GRITH_OP_EXEC);
	struct log_event event;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		read_operation(&reader, &record,
			       (struct record_bytes) { cases[i].bytes, cases[i].length }, &event);
		cr_assert_eq(event.kind, LOG_EXEC);
		expect(event.argv, cases[i].bytes, cases[i].length);
	}
}

Test(log_event, addresses)
{
	OWNED_LOG_EVENT_READER struct log_event_reader reader = { 0 };
	struct record record = record_of(GRITH_KIND_NET, GRITH_OP_CONNECT);
	struct log_event event;

	record.family = AF_INET;
	record.type = SOCK_STREAM;
	record.protocol = 6;
	record.port = 65535;
	memcpy(record.address, "\0\0\0\0\0\0\0\0\0\0\xff\xff\x7f\0\0\x01", 16);
	read_operation(&reader, &record, (struct record_bytes) { 0 }, &event);
	cr_assert_eq(event.kind, LOG_NET);
	expect_text(event.address, "127.0.0.1");
	cr_assert_eq(event.port, 65535);
	expect_text(event.family, "inet");
	expect_text(event.type, "stream");
	record.family = 200;
	record.type = 99;
	record.head.kind = GRITH_KIND_RESULT;
	record.head.error = -ECONNREFUSED;
	read_operation(&reader, &record, (struct record_bytes) { 0 }, &event);
	cr_assert_eq(event.kind, LOG_RESULT);
	cr_assert_not(event.decided);
	cr_assert_eq(event.error, ECONNREFUSED);
	cr_assert_not(log_event_is_refused(&event));
	expect_text(event.family, "200");
	expect_text(event.type, "99");
}

Test(log_event, processes_and_exits)
{
	OWNED_LOG_EVENT_READER struct log_event_reader reader = { 0 };
	struct record record = record_of(GRITH_KIND_PROCESS, GRITH_OP_SIGNAL);
	struct log_event event;

	record.target = 77;
	record.mode = 9;
	memcpy(record.target_comm, "sys\xfftemd", 9);
	read_operation(&reader, &record, (struct record_bytes) { 0 }, &event);
	cr_assert_eq(event.kind, LOG_PROCESS);
	cr_assert(event.target == 77 && event.mode == 9);
	expect_text(event.target_comm, "sys\xfftemd");
	expect_text(event.target_session, "bcdefghijk");
	record.head.op = GRITH_OP_PTRACE_ACCESS;
	record.mode = UINT32_MAX;
	read_operation(&reader, &record, (struct record_bytes) { 0 }, &event);
	cr_assert_eq(event.mode, UINT32_MAX);

	record = record_of(GRITH_KIND_EXIT, GRITH_OP_EXIT);
	record.head.error = -256;
	read_operation(&reader, &record, (struct record_bytes) { 0 }, &event);
	cr_assert_eq(event.kind, LOG_EXIT);
	cr_assert_eq(event.status, -256);
	cr_assert_not(event.decided);
	record = record_of(GRITH_KIND_RING, GRITH_OP_RING);
	read_operation(&reader, &record, (struct record_bytes) { 0 }, &event);
	cr_assert_eq(event.kind, LOG_RING);
}

Test(log_event, sessions_and_gaps)
{
	OWNED_LOG_EVENT_READER struct log_event_reader reader = { 0 };
	OWNED_TEXT struct text text = { 0 };
	const char *command[] = { "claude", "a\"b" };
	struct event_session session = {
		.head = head,
		.uid = 1000,
		.name = "blue",
		.user = "u",
		.profile = "generic",
		.mode = "enforce",
		.project = "/p",
		.command = command,
		.n_command = 2,
		.worktrees = (const char *[]) { "/q" },
		.n_worktrees = 1,
	};
	struct event_gap gap = { .head = { UINT64_MAX, UINT64_MAX, NULL }, .lost = UINT64_MAX };
	struct log_event event;

	for (unsigned int change = 0; change < EVENT_CHANGES; change++) {
		text.length = 0;
		session.change = change;
		cr_assert_eq(event_add_session(&text, &session), 0);
		cr_assert_eq(read_exactly(&reader, text.data, text.length - 1, &event), 0);
		cr_assert_eq(event.kind, LOG_SESSION);
		expect_text(event.change, event_change_name(change));
		cr_assert_eq(event.op, GRITH_OP_NONE);
		cr_assert_eq(event.sequence, LOG_NO_NUMBER);
	}
	expect_text(event.name, "blue");
	expect_text(event.user, "u");
	expect_text(event.profile, "generic");
	expect_text(event.session_mode, "enforce");
	expect_text(event.project, "/p");
	expect_text(event.worktrees, "[\"/q\"]");
	expect_text(event.command, "[\"claude\",\"a\\\"b\"]");
	text.length = 0;
	cr_assert_eq(event_add_gap(&text, &gap), 0);
	cr_assert_eq(read_exactly(&reader, text.data, text.length - 1, &event), 0);
	cr_assert_eq(event.kind, LOG_GAP);
	cr_assert(event.lost == UINT64_MAX && event.mono == UINT64_MAX && event.time == UINT64_MAX);
	expect_text(event.session, NULL);
}

Test(log_event, reviews)
{
	static const struct score score = {
		.parts = { { .filter = FILTER_TAINT, .score = 300, .why = "\xff \"x\"" } },
		.n_parts = 1,
		.total = -350,
	};
	OWNED_LOG_EVENT_READER struct log_event_reader reader = { 0 };
	OWNED_TEXT struct text text = { 0 };
	struct event_review review = {
		.state = "allowed",
		.review = 12,
		.op = "read",
		.object = { "/a\n\xff", 4 },
		.second = { "/b", 2 },
		.rule = "base.yaml:3",
		.reason = "why",
		.score = &score,
		.verdict = "allow",
		.scope = "session",
		.by = "uid 1000",
		.directory = "/home/\xff",
		.pid = 10,
	};
	struct event_session session = { .head = head, .review = &review };
	struct log_event event;

	cr_assert_eq(event_add_session(&text, &session), 0);
	cr_assert_eq(read_exactly(&reader, text.data, text.length - 1, &event), 0);
	cr_assert_eq(event.kind, LOG_REVIEW);
	cr_assert_eq(event.op, GRITH_OP_READ);
	cr_assert(event.review == 12 && event.score == -350 && event.pid == 10);
	expect_text(event.state, "allowed");
	expect(event.path, "/a\n\xff", 4);
	expect_text(event.second, "/b");
	expect_text(event.scope, "session");
	expect_text(event.by, "uid 1000");
	expect_text(event.directory, "/home/\xff");
	expect_text(event.parts, "[{\"filter\":\"taint\",\"score\":3.00,\"why\":\"\xef\xbf\xbd "
				 "\\\"x\\\"\",\"why_hex\":\"ff20227822\"}]");
}
