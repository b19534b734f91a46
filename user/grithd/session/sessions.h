/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The sessions that there are, from their start or adoption to their end. A session ends when its
 * cgroup has no process left, however that came about.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <systemd/sd-event.h>

#include "grithd/review/burst.h"
#include "grithd/review/recent.h"
#include "grithd/review/remembered.h"
#include "lib/event/event.h"
#include "lib/flow/flow.h"
#include "lib/record/record.h"
#include "lib/session/session.h"

struct daemon;

#define SESSIONS_PER_USER 128 /* other than root */

struct session {
	struct daemon *daemon;
	struct session_info info;
	int cgroup; /* descriptor of its directory */
	sd_event_source *watch; /* of cgroup.events */
	bool frozen; /* as cgroup.events said last */
	bool frozen_for_log; /* by us, until the log can be written to */

	uint64_t operations, refused, lost;
	uint64_t unsaid; /* of `lost`: not in the log yet */
	struct sequence sequence;
	bool counting; /* a record was seen, so the next number is known */
	uint64_t hole_since; /* CLOCK_MONOTONIC; 0: no record is missing */
	struct process_table processes;
	struct exec_join joins;

	struct answers answers; /* given for as long as it runs */
	size_t n_reviews; /* that wait */
	unsigned int unanswered; /* reviews in a row that nobody answered */
	struct burst bursts[GRITH_OPS]; /* what was answered for many of a kind */
	struct score_session *score; /* what the filters remember of it; NULL: they are not used */
	struct flow *flow; /* where secrets went inside it */
	struct recent *recent; /* what was refused and held lately, and what tainted it */
};

/* Oldest first. Starts as {0}. */
struct sessions {
	struct session **list;
	size_t count;
};

/* NULL: none. */
struct session *sessions_find_id(const struct sessions *sessions, const char *id);
struct session *sessions_find_cgroup(const struct sessions *sessions, uint64_t cgroup);

/*
 * The one session that `name` stands for, its id or its name, among those of `uid` (0: of all).
 * -ENOENT: none; -ENOTUNIQ: several.
 */
int sessions_find(const struct sessions *sessions, const char *name, uint32_t uid,
		  struct session **ret_session);

size_t sessions_of_user(const struct sessions *sessions, uint32_t uid);

/*
 * A session with its cgroup open and watched, in the list. Takes over `info` (leaving {0}) and
 * `cgroup` where it succeeds. Does nothing to the kernel or the store.
 */
int sessions_add(struct daemon *daemon, struct session_info *info, int *cgroup,
		 struct session **ret_session);

/* Takes it out of the list and frees it; nothing else. */
void sessions_remove(struct daemon *daemon, struct session *session);

/* Ends it if its cgroup has no process; true where it did. */
bool session_end_if_empty(struct session *session);

/* Writes a line about it into the log; `uid` is who asked. */
void session_note(struct session *session, enum event_change change, uint32_t uid,
		  const char *reason);

/*
 * Freezes all while the audit log cannot be written, and thaws them afterwards; those that a person
 * froze stay as they are.
 */
void sessions_freeze_for_log(struct daemon *daemon, bool freeze);

/* Takes the sessions of an earlier grithd over, and ends those that are gone. */
int sessions_adopt(struct daemon *daemon);

/* Frees all, and leaves the kernel, the store and the processes alone. */
void sessions_free(struct daemon *daemon);
