/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A line of the audit log, read back: what write.h writes. Made for millions of lines: one pass
 * over the line, and no allocation for each. What reads strace's logs makes the same events. Pure.
 */
#pragma once

#include "lib/base/base.h"
#include "lib/record/record.h"
#include "grith_abi.h"
#include "write.h"

/* X(name, word) */
#define LOG_KIND_TABLE(X)                                          \
	X(LOG_FILE, "file")                                        \
	X(LOG_UNIX, "unix")                                        \
	X(LOG_EXEC, "exec")                                        \
	X(LOG_NET, "net")                                          \
	X(LOG_PROCESS, "process")                                  \
	X(LOG_RING, "ring")                                        \
	X(LOG_EXIT, "exit")                                        \
	X(LOG_RESULT, "result") /* how an allowed connect ended */ \
	X(LOG_SESSION, "session")                                  \
	X(LOG_REVIEW, "review")                                    \
	X(LOG_GAP, "gap")                                          \
	X(LOG_CHECKPOINT, "checkpoint")
enum log_kind {
	LOG_OTHER = 0, /* of a newer grithd */
	LOG_KIND_TABLE(WORD_ENUM) LOG_KINDS,
};

#define LOG_NO_NUMBER UINT64_MAX

/*
 * Everything a line can say. Texts are bytes as the kernel had them: escapes are undone, and of a
 * name that is not UTF-8 these are the real bytes. Length 0: not there. They are valid until the
 * next line is read.
 */
struct log_event {
	enum log_kind kind;
	uint64_t time; /* nanoseconds since 1970 */
	uint64_t mono;
	uint64_t sequence; /* in its session; LOG_NO_NUMBER: not a record */
	uint64_t number; /* of the line in the log; 0: it is of no log */
	struct record_bytes session;

	/* an operation */
	enum grith_op op; /* GRITH_OP_NONE: none, or not known */
	bool decided; /* there is a verdict */
	enum grith_verdict verdict;
	int error; /* 0, or the errno it was refused or ended with, positive */
	unsigned int flags; /* GRITH_RECORD_* */
	struct record_bytes path, second;
	struct record_bytes view; /* of the path, where the process is */
	struct record_bytes address; /* as text */
	uint16_t port;
	struct record_bytes family, type; /* "inet", "stream" */
	struct record_bytes argv; /* each argument with its NUL */
	uint64_t inode;
	struct record_bytes device; /* "8:1" */
	int status; /* of an exit: the wait status */

	/* another process */
	uint32_t target;
	struct record_bytes target_comm, target_session;
	uint32_t mode; /* PTRACE_MODE_* or the signal */

	/* why */
	struct record_bytes rule, reason; /* "file:line" or "default" */
	struct record_bytes move; /* of a rename or link: which of its names decided, and by what */
	int score, context; /* hundredths */
	struct record_bytes parts; /* JSON array: the score taken apart */
	uint32_t review;

	/* by whom */
	uint32_t pid, tid, ppid, uid;
	struct record_bytes comm, program, parent;

	/* of a session: `change` is its op; of a review: its state */
	struct record_bytes change, name, user, profile, session_mode, project, home;
	struct record_bytes command, worktrees; /* JSON arrays */
	struct record_bytes state, scope, by, directory;

	uint64_t lost; /* of a gap */
};

/* Memory for the texts of one event. Starts as {0}. */
struct log_event_reader {
	struct text texts;
};

/*
 * 0; -EBADMSG where the line (without its newline) is not a JSON object as grithd writes them;
 * -ENOMEM. Fields that it does not know are passed over.
 */
int log_event_read(struct log_event_reader *reader, const char *line, size_t length,
		   struct log_event *ret_event);

void log_event_reader_free(struct log_event_reader *reader);

#define OWNED_LOG_EVENT_READER CLEANUP(log_event_reader_free)

/* "file", "unix", ... NULL for a number it does not know. */
const char *log_kind_name(enum log_kind kind);

/* Whether it was refused: an error of a decision that was not only a hold's. */
bool log_event_is_refused(const struct log_event *event);
