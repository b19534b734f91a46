/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The cgroup above all sessions: where it is, and that it is there. The kernel's programs know it
 * by its id and its level.
 */
#pragma once

#include "lib/base/base.h"

/* Starts as { .fd = -1 }. */
struct root_cgroup {
	char *directory; /* in the file system */
	char *path; /* from the root of the hierarchy, as /proc/PID/cgroup has it */
	int fd;
	uint64_t id;
	unsigned int level;
};

/*
 * Finds it, and makes it where it is not there. `wanted` is a directory below the mount point of
 * cgroup2; NULL: "grith" in the cgroup that systemd delegated to this process, else in the root of
 * the hierarchy. 0, or a negative errno with an entry in `diag`.
 */
int root_cgroup_open(const char *wanted, struct diag *diag, struct root_cgroup *ret_root);

/*
 * Makes the cgroups directly below it have `pids.max`, the limit of their processes and threads.
 * false: the kernel lacks the controller, or it belongs to another hierarchy (cgroup v1).
 */
bool root_cgroup_limits_pids(const struct root_cgroup *root);

/* Whether the process is in the cgroup `name` directly below it. */
bool root_cgroup_has(const struct root_cgroup *root, const char *name, uint32_t pid);
void root_cgroup_close(struct root_cgroup *root);

#define OWNED_ROOT_CGROUP CLEANUP(root_cgroup_close)
