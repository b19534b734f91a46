/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The state directory: a lock, so that there is one grithd, and a file for each session, so that
 * the next one knows them. Ended sessions stay for a while, since the audit log names them.
 */
#pragma once

#include "grithd/base/base.h"
#include "lib/session/session.h"

/* Starts as SESSION_STORE_CLOSED. */
struct session_store {
	int lock, sessions, ended;
};
#define SESSION_STORE_CLOSED ((struct session_store) { -1, -1, -1 })

/*
 * Makes what is missing and takes the lock. -EBUSY where another grithd has it; -EPERM where the
 * directory belongs to another user than root.
 */
int session_store_open(struct session_store *store, const char *directory);
void session_store_close(struct session_store *store);

#define OWNED_SESSION_STORE CLEANUP(session_store_close)

/* Written whole or not at all, and on the disk when it returns. */
int session_store_save(const struct session_store *store, const struct session_info *info);

/* Files the session under the ended ones, without its rules. */
int session_store_end(const struct session_store *store, const struct session_info *info);

/* Removes a session that never came to be. */
void session_store_drop(const struct session_store *store, const char *id);

/*
 * Calls `fn` for each session that has not ended, with a session_info it may take over (by leaving
 * {0} behind), or, where a file is damaged, with its id and `r` < 0 and no info. Stops where `fn`
 * fails.
 */
typedef int session_store_fn(void *arg, const char *id, int r, struct session_info *info);
int session_store_load(const struct session_store *store, session_store_fn *fn, void *arg);

/* An ended session, by its id. -ENOENT: none. */
int session_store_find_ended(const struct session_store *store, const char *id,
			     struct session_info *ret_info);
/* The ended session of that name and owner that ended last; `uid` 0 sees all. */
int session_store_find_ended_name(const struct session_store *store, const char *name, uint32_t uid,
				  struct session_info *ret_info);

/* Removes what ended long ago. */
int session_store_prune(const struct session_store *store);
