/* SPDX-License-Identifier: MPL-2.0 */
/* What the child and those that start it share. Only for this room. */
#pragma once

#include <sys/types.h>

#include "compile.h"

/* The child has its input and the place for its result as these descriptors, and no others. */
enum { COMPILE_IN = 0, COMPILE_OUT = 1 };

/* The bytes of a result for those of an input. 0 or -ENOMEM. */
int compile_run(const char *bytes, size_t length, struct text *out);

/*
 * rights.c: this process gives up all that it has, and gets the limits of limits.h. From then on it
 * can compute, write to what is open, and end. 0 or -errno.
 */
int compile_give_up_rights(void);

/* --- spawn.c: the process that compiles one policy */

struct child {
	pid_t pid; /* 0: none */
	int pidfd; /* readable at its end */
	int out;
};

#define CHILD_NONE                     \
	{                              \
		.pidfd = -1, .out = -1 \
	}

/* `program` NULL: this one. 0 or -errno. */
int child_start(const char *program, const struct text *input, struct child *ret_child);
/* At its end: its wait status. */
int child_end(struct child *child, int *ret_status);
/* What it wrote, a copy. */
int child_result(const struct child *child, struct text *out);
/* Kills it if it has not ended. */
void child_clear(struct child *child);

/* --- kept.c: results of earlier compilations, files in a directory of root's */

#define KEPT_KEY_BYTES 32

struct kept_key {
	uint8_t bytes[KEPT_KEY_BYTES];
};

/* `out` is empty before. 0; -ENOENT; -EBADMSG: the file was damaged, and is removed. */
int kept_read(int directory, uint32_t uid, const struct kept_key *key, struct text *out);
/* Replaces what has the key. Removes the oldest beyond KEPT_PER_USER and KEPT_MAX. 0 or -errno. */
int kept_write(int directory, uint32_t uid, const struct kept_key *key, const struct text *bytes);

/* --- one that is asked for */

enum compile_state {
	IDLE, /* it was told, or nothing is asked of it */
	TELLING, /* a kept result, at the next turn of the loop */
	WAITING, /* for a child */
	RUNNING,
};

struct compile {
	struct compiles *compiles;
	uint32_t uid;
	compile_fn *fn;
	void *arg;
	enum compile_state state;
	struct kept_key key;
	struct text input; /* without hosts */
	struct text hosts; /* packed; empty where there are none to be had */
	struct compile_result result; /* the kept one, until it is told */
	struct text kept; /* bytes of the kept result, behind those of its hosts; empty: none */
	size_t kept_hosts; /* bytes */
	struct child child;
	sd_event_source *ended, *timer, *telling;
	bool timed_out;
};

/* compile.c: gives the one who asked what there is; they may free it. */
void compile_tell(struct compile *compile, int r, struct compile_result *result);
/* Keeps the bytes of a result with an image. */
void compile_keep(const struct compile *compile, const struct text *bytes);

/* turns.c */
void compiles_ask_turn(struct compiles *compiles); /* something waits, or has ended */
int compiles_on_turn(sd_event_source *source, void *arg);
size_t compiles_count_of(const struct compiles *compiles, enum compile_state state, uint32_t uid);
void compile_stop_child(struct compile *compile);
