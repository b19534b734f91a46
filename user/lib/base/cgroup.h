/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The cgroup2 file system: where it is, which cgroup a process is in, and what is done to a cgroup
 * as a whole. Knows nothing of sessions.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cleanup.h"

#define CGROUP_PIDS_MAX 65536 /* that cgroup_pids() lists */
#define CGROUP_DEPTH_MAX 256 /* of cgroups below one, for listing and removal */

/* Pure parts. The caller frees the strings. */

/* The mount point of a whole cgroup2 hierarchy, from the text of mountinfo. -ENOENT: none. */
int cgroup_parse_mountinfo(const char *text, char **ret_mount);
/* The path of the "0::" line of /proc/PID/cgroup, from the hierarchy's root. -ENOENT: none. */
int cgroup_parse_membership(const char *text, char **ret_path);
/* One line of cgroup.events. -ENOENT: not there. */
int cgroup_parse_event(const char *text, const char *key, bool *ret_value);
/* 0 for "/", 1 for "/a", 2 for "/a/b". */
unsigned int cgroup_level(const char *path);

/* What the file system and the kernel say. */

int cgroup_find_mount(char **ret_mount);
/* -ESRCH where there is no such process; `pid` 0 is the caller. */
int cgroup_of(pid_t pid, char **ret_path);

/* The functions below take a directory's descriptor. */

/* The kernel's number for it, which BPF programs see. */
int cgroup_id(int fd, uint64_t *ret_id);
int cgroup_write(int fd, const char *file, const char *value);
int cgroup_kill(int fd);
int cgroup_freeze(int fd, bool freeze);
int cgroup_is_frozen(int fd, bool *ret_frozen);
/* Whether it or one below it has a process. */
int cgroup_is_populated(int fd, bool *ret_populated);
/* All processes in it and below it; the caller frees the array. */
int cgroup_pids(int fd, pid_t **ret_pids, size_t *ret_count);
/* Removes `name` below `parent` with all cgroups in it. -EBUSY where a process is left. */
int cgroup_remove(int parent, const char *name);
