/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Processes drawn as the tree that their parents make of them.
 */
#ifndef GRITH_PROCESS_TREE_H
#define GRITH_PROCESS_TREE_H

#include <stddef.h>
#include <stdint.h>

#include "term.h"

#define PROCESS_TREE_DEPTH 24 /* deeper ones are drawn as deep as this */

struct tree_process {
	uint32_t pid, ppid;
	char *label; /* harmless text, owned by the caller */
};

/*
 * Adds one line for each process, children below their parents, in the order of pids. Any input
 * will do: parents that are not there make a process a root, and so does one of each circle.
 * Sorts `processes`. 0 or -ENOMEM.
 */
int process_tree_add(struct text *out, struct tree_process *processes, size_t count,
		     const struct term *term);

#endif
