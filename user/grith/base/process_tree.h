/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Processes drawn as the tree that their parents make of them.
 */
#pragma once

#include "line.h"
#include "term.h"

#define PROCESS_TREE_DEPTH 24 /* deeper ones are drawn as deep as this */

struct tree_process {
	uint32_t pid, ppid;
	const char *label; /* escaped, borrowed; for process_tree_add() */
	uint64_t weight; /* heavier ones of one parent come first */
};

/* One row: which process of the array, and the lines before it. */
struct tree_row {
	size_t process;
	unsigned int depth;
	uint32_t more; /* bit per depth: there is one more to come below the same parent */
};

/*
 * The order in which the processes are drawn, one row for each, children below their parents.
 * Sorts `processes` by pid; `ret_rows` has room for `count`. Any input will do: parents that are
 * not there make a process a root, and so does one of each circle. 0 or -ENOMEM.
 */
int process_tree_rows(struct tree_process *processes, size_t count, struct tree_row *ret_rows);

/* The lines before a process: "│  └─ ", without UTF-8 "|  `- ". */
void process_tree_add_lines(struct line *out, const struct tree_row *row, bool utf8);

/* Adds one line for each process, in that order. Sorts `processes`. 0 or -ENOMEM. */
int process_tree_add(struct text *out, struct tree_process *processes, size_t count,
		     const struct term *term);
