/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Makes a session of what was found out for it, in the order in which nothing is ever unsupervised
 * or unknown: image, cgroup, state file, entry in the kernel, and then the process.
 */
#pragma once

#include "grithd/base/base.h"
#include "lib/policy/policy.h"
#include "sessions.h"

/*
 * Takes the image over in any case, and `info` (leaving {0}) once it is needed; its id, image,
 * cgroup and times are filled in. 0 and the session with the peer in it, written to the log; or
 * -errno, with everything undone and in `ret_what` what failed.
 */
int session_create(struct sessions *sessions, struct session_info *info, struct policy_image *image,
		   const struct peer *peer, const char **ret_what, struct session **ret_session);
