/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Puts the pieces of an exec back together: one record of the program with the first part of its
 * arguments, and more records with the rest. Pure.
 */
#pragma once

#include "lib/base/base.h"
#include "decode.h"

#define EXEC_JOIN_MAX 256 /* execs in pieces at one time */

/* An exec whose end has not come. Owns its bytes. */
struct exec_pending {
	struct record record; /* its path points into `path` */
	char *path;
	struct text argv;
};

/* Starts as {0}. */
struct exec_join {
	struct exec_pending *pending;
	size_t count;
};

/*
 * Called with each exec: the first record, and the whole argv. Both are valid during the call only.
 */
typedef void exec_join_fn(void *arg, const struct record *record, struct record_bytes argv);

/*
 * Takes a record of kind EXEC or ARGV, and calls `fn` for what is complete with it, or will never
 * be. Where there is no memory, the arguments are cut and the record is flagged as truncated.
 */
void exec_join_add(struct exec_join *join, const struct record *record, exec_join_fn *fn,
		   void *arg);

/* Calls `fn` for what is not complete, flagged as truncated: of one task, or of all (`tid` 0). */
void exec_join_flush(struct exec_join *join, uint32_t tid, exec_join_fn *fn, void *arg);

void exec_join_free(struct exec_join *join);
