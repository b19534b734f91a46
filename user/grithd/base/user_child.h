/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Work on files of a user: it is done by a child with that user's rights and mounts, so that root
 * is never made to read or write where the user could not. Their file systems may take long, and
 * never answer: the event loop does not wait for them.
 */
#pragma once

#include <sys/types.h>
#include <systemd/sd-event.h>

#include "lib/base/base.h"

struct user_child;

struct user_rights {
	int mounts; /* descriptor of a mount namespace, or of a process in it */
	uid_t uid;
	gid_t gid; /* its only group */
};

/* In the child, which has grithd's memory as it was, and should allocate nothing. 0 or -errno. */
typedef int user_work_fn(const void *arg);

/*
 * Called from the event loop, once, and never before user_child_start() returned: with what the
 * work returned; -ETIMEDOUT: it did not end in time; -ECANCELED: somebody killed it. The callee may
 * free the child.
 */
typedef void user_done_fn(void *arg, int r);

/* 0 or -errno. `work_arg` is used by the child alone. */
int user_child_start(sd_event *event, const struct user_rights *rights, user_work_fn *work,
		     const void *work_arg, uint64_t timeout_ms, user_done_fn *done, void *arg,
		     struct user_child **ret_child);

/* One that has not ended is killed, and reaped by the event loop at its end. NULL: nothing. */
void user_child_free(struct user_child *child);
DEFINE_CLEANUP(struct user_child, user_child_free)
