/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What /proc has of a process that waits. A pid may be reused (race), so the caller holds a pidfd,
 * or checks the cgroup.
 */
#pragma once

#include "lib/base/base.h"

/* Whether it is in the state that SIGSTOP leaves it in. */
bool proc_is_stopped(uint32_t pid);

/* Whether the thread is there. */
bool proc_has_thread(uint32_t pid, uint32_t tid);

/* The parent's number; 0: not known. */
uint32_t proc_parent(uint32_t pid);

/* The arguments, each with its NUL, at most `max` bytes; `ret_cut`: there are more. */
int proc_arguments(uint32_t pid, size_t max, struct text *arguments, bool *ret_cut);

/* What its "exe" or "cwd" points to; the caller frees. -errno. */
int proc_link(uint32_t pid, const char *link, char **ret_path);
