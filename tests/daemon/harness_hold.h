/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What is held, as the kernel that only pretends has it: processes that are stopped, their holds,
 * and the answers that grithd gave.
 */
#pragma once

#include "harness.h"

/* A session of `uid` with more in its request: `,"timeout":1` or "". */
struct test_session {
	pid_t agent;
	char id[16];
	uint64_t cgroup;
	uint64_t sequence; /* of the next record */
};
void session_start(uid_t uid, const char *more, struct test_session *ret_session);

/* A child of the test that has stopped; it is in no cgroup of grithd's. */
pid_t waiter_start(void);
/* Waits until it was continued. */
void waiter_expect_continued(pid_t pid);
/* It is still stopped. */
void waiter_expect_stopped(pid_t pid);

/* Of any process: a descriptor to wait for its end with. */
int process_watch(pid_t pid);
void process_expect_end(int fd);

/* One thing that a process is held for. */
struct test_hold {
	pid_t pid;
	enum grith_op op;
	const char *path;
	uint64_t object;
	uint32_t flags; /* 0: GRITH_RECORD_HELD */
	const char *argv; /* of a judged program: arguments, each with its NUL */
	size_t argv_length;
	int16_t score, context;
	uint16_t rule;
	const char *address; /* of a connection, IPv4; then `path` is NULL */
	uint16_t port;
	uint8_t filters; /* GRITH_CONTEXT_* */
	int age; /* seconds that it waits already */
};
/* Enters the hold and sends its record. */
void hold_send(struct test_session *session, const struct test_hold *hold);
/* The same, and waits until grithd has let it go on by itself. */
void hold_expect_let_go(struct test_session *session, const struct test_hold *hold,
			enum grith_verdict verdict);
/* Enters the hold, and its record is lost. */
void hold_enter(const struct test_session *session, const struct test_hold *hold);
/* The thread makes its call again, and finds an answer. */
void hold_replay(struct test_session *session, const struct test_hold *hold,
		 enum grith_verdict verdict);
/* Whether the kernel has it; `told`: and was told to send its record again. */
bool hold_is_there(const struct test_hold *hold);
bool hold_was_told(const struct test_hold *hold);

/* "VERDICT ONCE EXPIRES REVIEW" for the process (0: all of the session); NULL: none. */
char *answer_text(const struct test_session *session, uint64_t object, pid_t pid);
/* Whether there is one with this verdict, for one try or for all. */
bool answer_is(const struct test_session *session, uint64_t object, pid_t pid,
	       enum grith_verdict verdict, bool once);

/* The list of reviews of the session; with those that were answered where `all` is true. */
json_t *reviews_of(const struct test_session *session, bool all);
/* The only one that waits. */
json_t *only_review(const struct test_session *session);
json_t *answer(json_t *review, const char *verdict, const char *more);
