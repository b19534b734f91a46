/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A grithd with a kernel that only pretends, in a directory of its own, and the processes that talk
 * to it. Everything waits for events, none of it for time. Failures end the test.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <jansson.h>

#include "lib/audit/audit.h"
#include "grith_abi.h"

#define WAIT_MS 20000 /* for anything to happen */

/* Makes the directory and the policies; skips the test where it cannot be run. */
void harness_set_up(void);
/* Stops what is left, and removes what was made. */
void harness_tear_down(void);

/* A path inside of the directory; valid until the call after the next ones. */
const char *at(const char *name);
void write_file(const char *path, const char *text);
char *read_file(const char *path); /* the caller frees */

/* The directory of the cgroup above all sessions. */
const char *cgroup_root(void);

/* Starts grithd and waits until it is ready. */
void daemon_start(void);
/* The same with one more option. */
void daemon_start_with(const char *option);
/*
 * Runs grithd with one more option until it ends; its exit status, and its messages in at("err").
 */
int daemon_fails(const char *option);
void daemon_signal(int signal);
/* Waits for its end: the exit status, or 128 + the signal. */
int daemon_wait(void);
pid_t daemon_pid(void);

/* A connection to grithd as this process. */
int connect_daemon(void);
void send_text(int fd, const char *text);
/* The next line as JSON; NULL at the end of the connection. */
json_t *read_reply(int fd);
/* One request on a connection of its own. */
json_t *ask(const char *request);

/*
 * A process that asks for a session as `uid` in the project's directory, with `request`, and then
 * stays, with a child of its own. `ret_reply` is what it was told.
 */
pid_t agent_start(uid_t uid, const char *request, json_t **ret_reply);
/* Has the process ask again, on the old connection or on a new one: what it was told. */
json_t *agent_ask(pid_t agent, bool new_connection, const char *request);
/* Ends the process itself; the child stays. */
void agent_leave(pid_t agent);
/* Its child. */
pid_t agent_child(pid_t agent);
/* Kills that process. When it returns, the process has left its cgroup. */
void agent_kill_child(pid_t agent);

/* The state file of a session. */
json_t *session_state(const char *id);
/* Reads the whole audit log, which grithd must have closed. */
struct audit_verify verify_log(void);
/* Waits until a session has ended. */
void wait_for_end(const char *id);
/* Sends a record as the kernel would: a read of `path`, by `pid`. */
void send_record(uint64_t cgroup, uint64_t sequence, pid_t pid, const char *path,
		 enum grith_verdict verdict);
/* The same for a child, where a failure cannot end the test. */
bool try_send_record(uint64_t cgroup, uint64_t sequence, pid_t pid, const char *path,
		     enum grith_verdict verdict);

/* As many records of the session were made; those that do not come had no room in the ring. */
struct fake_made {
	uint64_t cgroup, sequence;
};
void send_made(uint64_t cgroup, uint64_t sequence);

bool has_true(json_t *object, const char *key);
bool is_ok(json_t *reply);
const char *string_of(json_t *object, const char *key);
const char *error_of(json_t *reply);
