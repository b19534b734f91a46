/* SPDX-License-Identifier: MPL-2.0 */
/* What the parts of the harness have in common, and tests have no use for. */
#pragma once

#include <sys/types.h>

void wait_readable(int fd, const char *for_what);

/* The exit status, or 128 + the signal. */
int wait_for(pid_t pid);

/* The next line; the caller frees. NULL: the end. */
char *read_line(int fd);

/* What was read ahead from an earlier descriptor of that number. */
void forget_input(int fd);

/* Kills those that are left. */
void agents_end(void);
