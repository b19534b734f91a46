/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Secrets without a use: a process that sends one out has read what it had no reason to read.
 * Kept per user in canaries.json of the state directory, and given to the filters of each session.
 */
#pragma once

#include <jansson.h>

#include "grithd/base/base.h"

struct canary;
struct score;
struct score_session;

/* Starts as CANARIES_CLOSED. */
struct canaries {
	int directory;
	struct canary *list;
	size_t count;
};
#define CANARIES_CLOSED ((struct canaries) { .directory = -1 })

/* -errno; a damaged file is -EBADMSG and stays as it is. */
int canaries_open(struct canaries *canaries, const char *state_directory);
void canaries_free(struct canaries *canaries);

/*
 * Plants a new file at `path`, which belongs to the user, or watches for `value`; one of the two is
 * NULL. -EEXIST (the name or the file), -E2BIG, -errno of what could not be done as that user.
 */
int canaries_add(struct canaries *canaries, const struct peer *user, const char *name,
		 const char *path, const char *value);
/* A new value; for a file `value` is NULL. -ENOENT, -EINVAL: the wrong one of the two. */
int canaries_rotate(struct canaries *canaries, const struct peer *user, const char *name,
		    const char *value);
int canaries_remove(struct canaries *canaries, const struct peer *user, const char *name);

/* As the protocol has it, without values; `uid` 0: of all users. */
json_t *canaries_to_json(const struct canaries *canaries, uint32_t uid);

/* Gives the filters of session `id` the canaries of its user. */
void canaries_arm(const struct canaries *canaries, const char *id, uint32_t uid,
		  struct score_session *score);

/* One was found in what a session wanted to send. */
void canaries_saw(struct canaries *canaries, uint32_t uid, const struct score *score);

/*
 * --- canary_file.c: planted files. Everything is done by a process that has become the user, with
 * the mounts of the one who asked, so that root is never made to write where the user could not,
 * and what is read-only for grithd alone is not.
 */

#define PLANT_VALUE_SIZE 41 /* 40 letters and digits, and the NUL */

/* A value that nothing else has. -errno. */
int plant_value(char ret_value[PLANT_VALUE_SIZE]);

/*
 * Makes a new file (`old` NULL), replaces the value in one, or deletes it (`fresh` NULL). -ESTALE
 * where it no longer has the old value; -EEXIST, -ENOENT, -EACCES and others as for the user.
 */
int plant_file(const struct peer *user, const char *path, const char *old, const char *fresh);
