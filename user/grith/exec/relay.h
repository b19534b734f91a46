/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Standing in for a command that is one's child: signals go to it, its stops by job control and
 * its end come back. The parent's own place in the terminal and in its shell's jobs is kept.
 */
#pragma once

#include <signal.h>
#include <sys/types.h>

/* What the caller's signals were before; the child gets it back. */
struct relay {
	sigset_t caught, before;
	struct sigaction child_before;
};

/* Before fork(): signals are kept until relay_run() takes them. */
void relay_prepare(struct relay *relay);

/* In the child: everything as it was before relay_prepare(). */
void relay_restore(const struct relay *relay);

/*
 * In the parent: until the child has ended. Returns its exit status, or 128 + the number of the
 * signal that ended it.
 */
int relay_run(const struct relay *relay, pid_t child);
