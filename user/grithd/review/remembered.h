/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Answers that are good for more than one review: those of a session, for as long as it runs, and
 * those of a user, for all later sessions with the same profile. Both are on the disk, so that the
 * next grithd knows them.
 */
#pragma once

#include "answers.h"

struct remembered_user;

/* Starts as REMEMBERED_CLOSED. */
struct remembered {
	int directory, sessions;
	struct remembered_user *users; /* as far as they were asked for */
	size_t count;
};
#define REMEMBERED_CLOSED ((struct remembered) { .directory = -1, .sessions = -1 })

/* Makes the directories below the state directory. -errno. */
int remembered_open(struct remembered *remembered, const char *state_directory);
void remembered_free(struct remembered *remembered);

/* A user's answers, read from the file at first. NULL: they cannot be read, or there are none. */
const struct answers *remembered_of(struct remembered *remembered, uint32_t uid);

/* All users whose answers there are, by index; `ret_uid` is whose. NULL: no more. */
const struct answers *remembered_at(struct remembered *remembered, size_t index, uint32_t *ret_uid);

/*
 * Takes out those that answers_revoke() would, of a user or of all (0), and writes down what is
 * left. 0, or -errno: they are out, but still on the disk.
 */
int remembered_revoke(struct remembered *remembered, uint32_t uid, uint32_t review, answers_fn *fn,
		      void *arg, size_t *count);

/* As answers_keep(), and on the disk when it returns. */
int remembered_keep(struct remembered *remembered, uint32_t uid, const struct subject *subject,
		    const struct keeping *keeping);

/* Those of one session: put on the disk; read into `answers`, which must be empty; removed. */
int remembered_save_session(const struct remembered *remembered, const char *id,
			    const struct answers *answers);
int remembered_load_session(const struct remembered *remembered, const char *id,
			    struct answers *answers);
void remembered_drop_session(const struct remembered *remembered, const char *id);
