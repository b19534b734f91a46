/* SPDX-License-Identifier: MPL-2.0 */
/* Beyond these, something of a log is left out, and counted in struct strace_notes. */
#pragma once

#define STRACE_LINE_MAX (1u << 20) /* bytes of a line that the caller need give */
#define STRACE_TASKS_MAX 32768 /* processes and threads at one time */
#define STRACE_PENDING_BYTES (64u << 20) /* of all unfinished calls */
#define STRACE_NAME_BYTES (64u << 20) /* of all names that are remembered of tasks */
#define STRACE_NAMES_MAX 512 /* different calls that are not known */
#define STRACE_NAME_MAX 32 /* bytes of the name of a call */
#define STRACE_FD_MAX 1024 /* descriptors of a process that are remembered */
