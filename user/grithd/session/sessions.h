/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The sessions that there are, from their start or adoption to their end. A session ends when its
 * cgroup has no process left, however that came about.
 */
#pragma once

#include <systemd/sd-event.h>

#include "grithd/audit/audit.h"
#include "grithd/base/base.h"
#include "grithd/kernel/kernel.h"
#include "lib/record/record.h"
#include "lib/session/session.h"
#include "images.h"
#include "store.h"

struct session;

/* What others have to do when a session comes and goes. */
struct session_ops {
	/*
	 * It is about to be put into the list: attaches what others keep of it. `adopted`: it ran
	 * before this grithd. -errno, and then removed() follows.
	 */
	int (*added)(void *arg, struct session *session, bool adopted);
	/* It is out of the list and freed next: frees what was attached. */
	void (*removed)(void *arg, struct session *session);
	/* It is empty, and its end not in the log yet: its last records are to be. */
	void (*ending)(void *arg, struct session *session);
	/* Its end is in the log. `session` NULL: it ended while no grithd ran. */
	void (*ended)(void *arg, const struct session_info *info, struct session *session);
};

struct session {
	struct sessions *sessions; /* it is one of */
	struct session_info info;
	int cgroup; /* descriptor of its directory */
	sd_event_source *watch; /* of cgroup.events */
	bool frozen; /* as cgroup.events said last */
	bool frozen_for_log; /* by grithd, until the log can be written to */
	struct process_table processes; /* as far as records told of them */
	struct review_session *review; /* attached by session_ops.added() */
	struct intake_session *intake;
};

/* Starts with the members up to `store` set and open. */
struct sessions {
	const struct session_ops *ops;
	void *arg;
	sd_event *event;
	struct kernel *kernel;
	const struct root_cgroup *root;
	struct audit *audit;
	uint64_t pids; /* the limit of processes and threads of one; 0: none */
	struct session_store store;
	struct images images;
	struct session **list; /* oldest first */
	size_t count;
};

/* NULL: none. Called for each record. */
static inline struct session *sessions_find_cgroup(const struct sessions *sessions, uint64_t cgroup)
{
	for (size_t i = 0; i < sessions->count; i++)
		if (sessions->list[i]->info.cgroup == cgroup)
			return sessions->list[i];
	return NULL;
}

/* NULL: none. */
struct session *sessions_find_id(const struct sessions *sessions, const char *id);

/*
 * The one session with that id or name, among those of `uid` (0: of all).
 * -ENOENT: none; -ENOTUNIQ: several.
 */
int sessions_find(const struct sessions *sessions, const char *name, uint32_t uid,
		  struct session **ret_session);

size_t sessions_of_user(const struct sessions *sessions, uint32_t uid);

/*
 * create.c: makes a session and places the peer in it, in an order in which no process is ever
 * unsupervised or unknown: image, cgroup, state file, entry in the kernel, then the process. Takes
 * the image over in any case, and `info` (leaving {0}) once it is needed; its id, image, cgroup and
 * times are filled in. 0 and the session, written to the log; or -errno, with everything undone and
 * in `ret_what` what failed.
 */
int session_create(struct sessions *sessions, struct session_info *info, struct policy_image *image,
		   const struct peer *peer, const char **ret_what, struct session **ret_session);

/*
 * A session with its cgroup open and watched, in the list. Takes over `info` (leaving {0}) and
 * `cgroup` where it succeeds. Does nothing to the kernel or the store.
 */
int sessions_add(struct sessions *sessions, struct session_info *info, int *cgroup, bool adopted,
		 struct session **ret_session);

/* Takes it out of the list and frees it; nothing else. */
void session_remove(struct session *session);

/* Ends it if its cgroup has no process; true where it did. */
bool session_end_if_empty(struct session *session);
void sessions_end_empty(struct sessions *sessions);

/* Writes a line about it into the log; `uid` is who asked. */
void session_note(struct session *session, enum event_change change, uint32_t uid,
		  const char *reason);

/* Kills, freezes or thaws all of it for a person, and logs that. 0 or -errno. */
int session_change(struct session *session, enum event_change change, uint32_t uid);

/*
 * Freezes all while the audit log cannot be written, and thaws them afterwards; those that a person
 * froze stay as they are.
 */
void sessions_freeze_for_log(struct sessions *sessions, bool freeze);

/* Takes over the sessions of an earlier grithd, and buries those that are gone. */
int sessions_adopt(struct sessions *sessions);

/* Frees all, and leaves the kernel, the files and the processes alone. */
void sessions_free(struct sessions *sessions);
