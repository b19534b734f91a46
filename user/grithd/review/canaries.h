/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Secrets without a use: a process that sends one out has read what it had no reason to read.
 * Kept per user in canaries.json of the state directory, and given to the filters of each session.
 */
#pragma once

#include <jansson.h>

#include "grithd/base/base.h"
#include "lib/proto/proto.h"

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

/* A change of one canary, until it is made. Owns its strings; starts as {0}. */
struct canary_change {
	enum proto_canary_action action;
	uint32_t uid;
	char *name;
	char *path; /* of the file that has to be changed first; NULL: it is a value */
	char *old, *fresh; /* values; NULL: there is none before, none after */
};
void canary_change_clear(struct canary_change *change);

/*
 * What a request is to change: it plants a new file at `path`, which belongs to the user, or
 * watches for `value`; one of the two is NULL. `path` counts for PROTO_CANARY_ADD alone. -EEXIST
 * (the name), -E2BIG, -ENOENT, -EINVAL: the wrong one of the two.
 */
int canaries_prepare(const struct canaries *canaries, enum proto_canary_action action, uint32_t uid,
		     const char *name, const char *path, const char *value,
		     struct canary_change *change);

/* Makes it, once its file is changed. Errors as above: another request may have come before. */
int canaries_apply(struct canaries *canaries, struct canary_change *change);

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
#define PLANT_MS 2000 /* for a file system that does not answer */

/* A value that nothing else has. -errno. */
int plant_value(char ret_value[PLANT_VALUE_SIZE]);

/*
 * A user_work_fn for a struct canary_change: makes a new file, replaces the value in one, or
 * deletes it. -ESTALE where it no longer has the old value; -EEXIST, -ENOENT, -EACCES and others as
 * for the user.
 */
int plant_file(const void *change);
