/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * The numbers of grith_abi.h that have a word: one line each, from which both sides make what they
 * need. Each table is a list that applies X to its lines:
 *
 *	#define WORD(name, number, word, ...) [name] = word,
 *	static const char *const words[] = { GRITH_OP_TABLE(WORD) };
 *
 * To add a line, put it last in its table with the next number: the enumeration and its limit
 * follow, and a hole does not compile. A line is never removed and never gets another number or
 * word: logs have the words, and pinned maps the numbers. Kinds and counters also make the size of
 * a pinned map: a grithd with one more cannot adopt it, and wants `grithd --unload` first. A new
 * kind moves every counter up by one. A new op class takes the line of SPARE; the number of them
 * stays even.
 */
#pragma once

#define GRITH_NUMBER(name, number, ...) name = (number),
#define GRITH_BIT(name, number, ...) name = 1 << (number),
#define GRITH_ADD_ONE(...) +1
#define GRITH_ADD_BIT(name, number, ...) +(1ull << (number))

/* N powers of two add up to 2^N - 1 only if each of the first N is there once. */
#define GRITH_ASSERT_DENSE(table, first)                                                    \
	_Static_assert((0 table(GRITH_ADD_BIT)) == ((1ull << (0 table(GRITH_ADD_ONE))) - 1) \
							   << (first),                      \
		       #table " has a hole, or a number twice")

/* Numbers from 0 on, and behind them the limit. */
#define GRITH_ENUM(type, table, limit)      \
	type { table(GRITH_NUMBER) limit }; \
	GRITH_ASSERT_DENSE(table, 0)

#define GRITH_FLAGS(type, table)   \
	type { table(GRITH_BIT) }; \
	GRITH_ASSERT_DENSE(table, 0)

/*
 * What the rules of a policy are written for: op classes. Several operations share one, so that a
 * rule cannot miss the rarer one. X(name, number, word)
 */
#define GRITH_OP_CLASS_TABLE(X)                                                     \
	X(GRITH_OP_CLASS_READ, 0, "read")                                           \
	X(GRITH_OP_CLASS_WRITE, 1, "write")                                         \
	X(GRITH_OP_CLASS_CREATE, 2, "create")                                       \
	X(GRITH_OP_CLASS_DELETE, 3, "delete")                                       \
	X(GRITH_OP_CLASS_RENAME, 4, "rename")                                       \
	X(GRITH_OP_CLASS_LINK, 5, "link")                                           \
	X(GRITH_OP_CLASS_METADATA, 6, "metadata")                                   \
	X(GRITH_OP_CLASS_LIST, 7, "list")                                           \
	X(GRITH_OP_CLASS_EXEC, 8, "exec")                                           \
	X(GRITH_OP_CLASS_CONNECT, 9, "unix-connect") /* by path or abstract name */ \
	X(GRITH_OP_CLASS_BIND, 10, "unix-bind")                                     \
	X(GRITH_OP_CLASS_SPARE, 11, NULL) /* keeps a row a whole number of words */
GRITH_ENUM(enum grith_op_class, GRITH_OP_CLASS_TABLE, GRITH_OP_CLASSES);
#define GRITH_OP_CLASS_NONE GRITH_OP_CLASSES

/* What the rate limit counts. X(name, number) */
#define GRITH_RATE_TABLE(X)     \
	X(GRITH_RATE_READ, 0)   \
	X(GRITH_RATE_WRITE, 1)  \
	X(GRITH_RATE_DELETE, 2) \
	X(GRITH_RATE_LIST, 3)   \
	X(GRITH_RATE_SPAWN, 4)
GRITH_ENUM(enum grith_rate, GRITH_RATE_TABLE, GRITH_RATES);
#define GRITH_RATE_NONE GRITH_RATES

/*
 * What a process asks the kernel to do; every record carries one. X(name, number, word, op class,
 * rate): GRITH_OP_CLASS_ and GRITH_RATE_ go before the last two. The op class is that of the rules
 * which decide it, NONE where other parts of the policy do. WRITE needs READ too where the
 * descriptor has both. RECEIVE goes by the descriptor: READ, WRITE, both, or LIST.
 */
#define GRITH_OP_TABLE(X)                                                                          \
	X(GRITH_OP_NONE, 0, "none", NONE, NONE)                                                    \
	X(GRITH_OP_READ, 1, "read", READ, READ) /* open without write access */                    \
	X(GRITH_OP_WRITE, 2, "write", WRITE, WRITE) /* open with write access */                   \
	X(GRITH_OP_CREATE, 3, "create", CREATE, WRITE) /* mknod, mkdir, symlink, O_CREAT */        \
	X(GRITH_OP_DELETE, 4, "delete", DELETE, DELETE) /* unlink, rmdir */                        \
	X(GRITH_OP_RENAME, 5, "rename", RENAME, NONE) /* both ends */                              \
	X(GRITH_OP_LINK, 6, "link", LINK, NONE) /* both ends */                                    \
	X(GRITH_OP_TRUNCATE, 7, "truncate", WRITE, WRITE) /* by path or descriptor */              \
	X(GRITH_OP_METADATA, 8, "metadata", METADATA, NONE) /* mode, owner, extended attributes */ \
	X(GRITH_OP_STAT, 9, "stat", READ, NONE) /* only `hide` applies to it */                    \
	X(GRITH_OP_OPENDIR, 10, "opendir", LIST, LIST) /* open of a directory */                   \
	X(GRITH_OP_LIST, 11, "list", LIST, NONE) /* one read of a directory; never refused */      \
	X(GRITH_OP_RECEIVE, 12, "receive", READ, NONE) /* a descriptor comes over a unix socket */ \
	X(GRITH_OP_EXEC, 13, "exec", EXEC, SPAWN) /* a program, its interpreter, its loader */     \
	X(GRITH_OP_MAP, 14, "map", EXEC, NONE) /* a file mapped executable */                      \
	X(GRITH_OP_SOCKET, 15, "socket", NONE, NONE)                                               \
	X(GRITH_OP_CONNECT, 16, "connect", CONNECT, NONE)                                          \
	X(GRITH_OP_BIND, 17, "bind", BIND, NONE)                                                   \
	X(GRITH_OP_LISTEN, 18, "listen", NONE, NONE)                                               \
	X(GRITH_OP_SEND, 19, "send", CONNECT, NONE) /* a datagram, or with its own destination */  \
	X(GRITH_OP_RING, 20, "ring", NONE, NONE) /* io_uring beyond ordinary operations */         \
	X(GRITH_OP_PTRACE_ACCESS, 21, "touch", NONE, NONE) /* ptrace, and /proc/PID/... */         \
	X(GRITH_OP_SIGNAL, 22, "signal", NONE, NONE)                                               \
	X(GRITH_OP_EXIT, 23, "exit", NONE, NONE) /* the last thread of a process ended */          \
	X(GRITH_OP_TERMINAL, 24, "terminal", NONE, NONE) /* another's, or input into one */        \
	X(GRITH_OP_IPC, 25, "ipc", NONE, NONE) /* System V objects, POSIX message queues */        \
	X(GRITH_OP_KEY, 26, "key", NONE, NONE) /* keys and keyrings of the kernel */               \
	X(GRITH_OP_KERNEL, 27, "kernel", NONE, NONE) /* bpf(2), modules, kexec, raw memory, ... */ \
	X(GRITH_OP_ADJUST, 28, "adjust", NONE, NONE) /* limits, priority of another process */     \
	X(GRITH_OP_MOUNT, 29, "mount", NONE, NONE) /* any change of a mount */                     \
	X(GRITH_OP_NAMESPACE, 30, "namespace", NONE, NONE) /* a new user namespace */
GRITH_ENUM(enum grith_op, GRITH_OP_TABLE, GRITH_OPS);

/* In rising order of strictness: of two verdicts for one operation the larger one wins. */
#define GRITH_VERDICT_TABLE(X)                            \
	X(GRITH_ALLOW, 0, "allow")                        \
	X(GRITH_HOLD, 1, "hold") /* wait for an answer */ \
	X(GRITH_DENY, 2, "deny") /* EACCES */             \
	X(GRITH_HIDE, 3, "hide") /* ENOENT */
GRITH_ENUM(enum grith_verdict, GRITH_VERDICT_TABLE, GRITH_VERDICTS);

/* In observe mode verdicts are computed and recorded, and nothing is refused. */
#define GRITH_MODE_TABLE(X)            \
	X(GRITH_ENFORCE, 0, "enforce") \
	X(GRITH_OBSERVE, 1, "observe")
GRITH_ENUM(enum grith_mode, GRITH_MODE_TABLE, GRITH_MODES);

/* What a record is about, and so what follows its common header. */
#define GRITH_KIND_TABLE(X)                                                                 \
	X(GRITH_KIND_OTHER, 0, "other") /* is never sent */                                 \
	X(GRITH_KIND_PATH, 1, "path") /* struct grith_path_record */                        \
	X(GRITH_KIND_EXEC, 2, "exec") /* grith_exec_record: it happened */                  \
	X(GRITH_KIND_ARGV, 3, "argv") /* grith_exec_record: more argv of the exec before */ \
	X(GRITH_KIND_NET, 4, "net") /* grith_net_record */                                  \
	X(GRITH_KIND_PROCESS, 5, "process") /* grith_process_record */                      \
	X(GRITH_KIND_RING, 6, "ring") /* the header alone */                                \
	X(GRITH_KIND_EXIT, 7, "exit") /* the header alone; error is the wait status */      \
	X(GRITH_KIND_RESULT, 8, "result") /* the header alone: how an allowed connect ended */
GRITH_ENUM(enum grith_kind, GRITH_KIND_TABLE, GRITH_KINDS);

/*
 * What went wrong: per CPU, indices into the map of counters. The first GRITH_KINDS of them count
 * records of each kind that did not fit the ring buffer, and are called lost_ and the kind's word.
 * X(name, number, word, severity, meaning): NOTE or PROBLEM, and what `grith doctor` writes.
 */
#define GRITH_COUNT_LOST 0 /* + kind */
#define GRITH_COUNTER_TABLE(X)                                                          \
	X(GRITH_COUNT_UNKNOWN, 9, "unknown_paths", NOTE,                                \
	  "paths that could not be built, decided as 'unknown'")                        \
	X(GRITH_COUNT_NO_IMAGE, 10, "no_image", PROBLEM,                                \
	  "operations refused because the session had no policy")                       \
	X(GRITH_COUNT_NO_SCRATCH, 11, "no_scratch", PROBLEM,                            \
	  "operations refused because too many ran on one CPU")                         \
	X(GRITH_COUNT_NO_RANGE, 12, "no_range", PROBLEM,                                \
	  "addresses refused because the policy had no entry")                          \
	X(GRITH_COUNT_NO_SIGNAL, 13, "no_signal", PROBLEM,                              \
	  "held operations refused because their process could not be stopped")         \
	X(GRITH_COUNT_NO_HOLD, 14, "no_hold", PROBLEM,                                  \
	  "held operations refused because the table of holds was full")                \
	X(GRITH_COUNT_NO_NOTES, 15, "no_exec_notes", PROBLEM,                           \
	  "programs refused because the table of execs under way was full")             \
	X(GRITH_COUNT_NO_STOP, 16, "no_stop_noted", PROBLEM,                            \
	  "stops by a user that could not be noted: grithd resumes nothing more there") \
	X(GRITH_COUNT_NO_OWNER, 17, "no_owner", PROBLEM,                                \
	  "processes killed because the table of files' owners was full")               \
	X(GRITH_COUNT_SIGNAL_REFUSED, 18, "signal_refused", NOTE,                       \
	  "signals from files to processes outside their session, refused")
enum grith_counter { GRITH_COUNTER_TABLE(GRITH_NUMBER) GRITH_COUNTERS };
GRITH_ASSERT_DENSE(GRITH_COUNTER_TABLE, GRITH_KINDS);

/*
 * Which context filters added to a score: a bit each. X(name, number, word, points): the member of
 * struct grith_points. `mass` holds whatever the score.
 */
#define GRITH_CONTEXT_TABLE(X)                                              \
	X(GRITH_CONTEXT_TAINT, 0, "taint", taint)                           \
	X(GRITH_CONTEXT_CONTAINMENT, 1, "session-containment", containment) \
	X(GRITH_CONTEXT_RATE, 2, "rate-limit", rate)                        \
	X(GRITH_CONTEXT_EGRESS_RATE, 3, "egress-rate", egress)              \
	X(GRITH_CONTEXT_MASS, 4, "mass", mass)
GRITH_FLAGS(enum grith_context_filter, GRITH_CONTEXT_TABLE);

/* Flags of a record, a bit each. */
#define GRITH_RECORD_TABLE(X)                                                                   \
	X(GRITH_RECORD_URING, 0, "uring") /* came through io_uring */                           \
	X(GRITH_RECORD_OBSERVED, 1, "observed") /* observe mode: the verdict was not applied */ \
	X(GRITH_RECORD_UNKNOWN, 2, "unknown") /* the path could not be built whole */           \
	X(GRITH_RECORD_DIRECTORY, 3, "directory")                                               \
	X(GRITH_RECORD_TRUNCATED, 4, "truncated") /* argv goes on beyond what was sent */       \
	X(GRITH_RECORD_MORE, 5, NULL) /* a GRITH_KIND_ARGV record with the same tid follows */  \
	X(GRITH_RECORD_HOLD_REFUSED, 6, "hold_refused") /* because it could not be held */      \
	X(GRITH_RECORD_CREATED, 7, "created") /* open of a file that this very call created */  \
	X(GRITH_RECORD_READ_TOO, 8, "read_too") /* WRITE with read access as well */            \
	X(GRITH_RECORD_ABSTRACT, 9, "abstract") /* the path is an abstract unix socket name */  \
	X(GRITH_RECORD_UNIX, 10, "unix") /* the path is that of a unix socket */                \
	X(GRITH_RECORD_HELD, 11, "held") /* the process is stopped until there is an answer */  \
	X(GRITH_RECORD_ANSWERED, 12,                                                            \
	  "answered") /* would be held; an answer or an earlier hook decided */                 \
	X(GRITH_RECORD_INSPECT_ARGV, 13,                                                        \
	  "judged") /* EXEC, HELD: stopped for inspection of argv */                            \
	X(GRITH_RECORD_OWN, 14, "own") /* the object was made in the session */                 \
	X(GRITH_RECORD_OTHER_NAME, 15, "other_name") /* the process reaches it by another name */
GRITH_FLAGS(enum grith_record_flag, GRITH_RECORD_TABLE);
