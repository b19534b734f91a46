/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A large audit log for measuring what reads it: N operations of S sessions, one after the other,
 * written, sealed and compressed as grithd does it.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "grithd/audit/audit.h"
#include "grithd/base/base.h"
#include "lib/base/base.h"

#define LINES_AT_ONCE 1000
#define SEGMENT_MIB 64 /* grithd's default */

struct texts {
	char session[SESSION_ID_LENGTH + 1], path[160], program[40];
};

static struct record_bytes bytes(const char *text)
{
	return (struct record_bytes) { text, strlen(text) };
}

/* What a build does, roughly: many reads, few of the paths again and again. */
static void make_operation(uint64_t i, const struct event_head *head, struct texts *t,
			   struct record *record, struct event_operation *operation)
{
	uint64_t path = i * 2654435761u % 200000;

	snprintf(t->path, sizeof(t->path), "%s/node_modules/package-%llu/lib/file-%llu.js",
		 path % 3 ? "/home/anna/project" : "/home/anna/.cache/tool",
		 (unsigned long long)path / 50, (unsigned long long)path);
	snprintf(t->program, sizeof(t->program), "/usr/bin/program-%u", (unsigned)(i / 64 % 40));
	*record = (struct record) {
		.head = {
			.version = GRITH_ABI_VERSION,
			.kind = GRITH_KIND_PATH,
			.op = i % 11 == 0 ? GRITH_OP_LIST : i % 7 ? GRITH_OP_READ : GRITH_OP_WRITE,
			.sequence = i,
			.verdict = i % 97 ? GRITH_ALLOW : GRITH_DENY,
			.error = i % 97 ? 0 : -EACCES,
			.pid = 1000 + i / 64 % 3000,
			.tid = 1000 + i / 64 % 3000,
			.ppid = 999,
			.uid = 1000,
		},
		.comm = "node",
		.path = bytes(t->path),
		.inode = path,
		.device = 8 << 20 | 1,
	};
	*operation = (struct event_operation) {
		.head = *head,
		.record = record,
		.rule_file = "base.yaml",
		.rule_line = 10 + i % 60,
		.reason = "what programs need to run",
		.program = t->program,
		.parent = "/bin/sh",
		.attach = "lsm",
	};
	operation->head.session = t->session;
	operation->head.time += i * 1000;
}

/* benchaaaaa, benchaaaab, ...: ids that grithd could have given. */
static void name_session(uint64_t number, char ret_id[SESSION_ID_LENGTH + 1])
{
	snprintf(ret_id, SESSION_ID_LENGTH + 1, "benchaaa%c%c", (char)('a' + number / 8),
		 (char)('a' + number % 8));
}

static int write_log(struct audit_log *log, uint64_t lines, uint64_t sessions)
{
	struct event_head head = event_now(NULL);
	struct event_operation operation;
	struct record record;
	struct texts texts;
	const char *what;
	bool grew;
	int r = 0;

	for (uint64_t i = 0; i < lines && r == 0; i++) {
		name_session(i * sessions / lines, texts.session);
		make_operation(i, &head, &texts, &record, &operation);
		audit_log_operation(log, &operation);
		if (i % LINES_AT_ONCE != 0)
			continue;
		r = audit_log_flush(log, &grew);
		while (r == 0 && audit_log_has_work(log) && (r = audit_log_work(log, &what)) > 0)
			r = 0;
	}
	return r < 0 ? r : audit_log_finish(log);
}

int main(int argc, char **argv)
{
	struct audit_settings settings = { 0 };
	CLEANUP(audit_log_freep) struct audit_log *log = NULL;
	uint64_t lines = 10000000, sessions = 50, segment = SEGMENT_MIB;
	struct audit_found found;
	OWNED_FD int state = -1;
	int r;

	if (argc < 2 || argc > 5 || (argc > 2 && text_parse_u64(argv[2], UINT32_MAX, &lines) < 0) ||
	    (argc > 3 && (text_parse_u64(argv[3], 64, &sessions) < 0 || !sessions)) ||
	    (argc > 4 && (text_parse_u64(argv[4], 1024, &segment) < 0 || !segment))) {
		fputs("usage: log-bench DIRECTORY [LINES [SESSIONS [SEGMENT-MIB]]]\n", stderr);
		return 2;
	}
	if (mkdir(argv[1], 0700) < 0 ||
	    (state = open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0) {
		perror(argv[1]);
		return 1;
	}
	settings.size = segment << 20;
	settings.directory = argv[1];
	settings.state = state;
	r = audit_log_open(&settings, &log, &found);
	if (r == 0)
		r = write_log(log, lines, sessions);
	if (r < 0)
		fprintf(stderr, "log-bench: %s: %s\n", argv[1], strerror(-r));
	return r < 0 ? 1 : 0;
}
