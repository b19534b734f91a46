/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Answers that are good for more than one review: those of a session, for as long as it runs, and
 * those of a user, for all later sessions with the same profile. Both are on the disk, so that the
 * next grithd knows them. Objects are kept as text, so that a person can read the file and a new
 * kernel's hashes do not matter.
 */
#pragma once

#include "lib/base/base.h"
#include "subject.h"

#define ANSWERS_MAX 4096 /* of one user, or of one session */

/* Owns its strings. */
struct kept_answer {
	char *profile; /* NULL: of a session */
	enum grith_op op;
	enum subject_kind kind;
	bool directory; /* everything below the object */
	struct text object, second; /* any bytes */
	enum grith_verdict verdict; /* GRITH_ALLOW or GRITH_DENY */
	uint64_t time; /* nanoseconds since 1970 */
};

/* Starts as {0}. */
struct answers {
	struct kept_answer *list;
	size_t count;
};

/* What is to be kept. `directory` NULL: this very object. */
struct keeping {
	const char *profile;
	const char *directory;
	enum grith_verdict verdict;
	uint64_t time;
};

/*
 * Replaces the answer to the same question. -ENOTSUP where the object has no name that could be
 * kept, -E2BIG, -ENOMEM.
 */
int answers_keep(struct answers *answers, const struct subject *subject,
		 const struct keeping *keeping);

/* The same for an answer that was read; takes it over in any case. */
int answers_put(struct answers *answers, struct kept_answer *answer);

/*
 * The answer that fits best: to the very object, else to the longest directory above it. NULL:
 * none. `profile` NULL: of a session.
 */
const struct kept_answer *answers_find(const struct answers *answers, const char *profile,
				       const struct subject *subject);
void answers_free(struct answers *answers);

/* Whether the operation's objects lie below the directory, and are paths at all. */
bool subject_is_below(const struct subject *subject, const char *directory, size_t length);

struct remembered;

/* Makes the directory below the state directory. -errno. */
int remembered_open(const char *state_directory, struct remembered **ret_remembered);
void remembered_free(struct remembered *remembered);
DEFINE_CLEANUP(struct remembered, remembered_free)

/* A user's answers, read from the file at first. NULL: they cannot be read, or there are none. */
const struct answers *remembered_of(struct remembered *remembered, uint32_t uid);

/* As answers_keep(), and on the disk when it returns. */
int remembered_keep(struct remembered *remembered, uint32_t uid, const struct subject *subject,
		    const struct keeping *keeping);

/* Those of one session: put on the disk; read into `answers`, which must be empty; removed. */
int remembered_save_session(struct remembered *remembered, const char *id,
			    const struct answers *answers);
int remembered_load_session(struct remembered *remembered, const char *id, struct answers *answers);
void remembered_drop_session(struct remembered *remembered, const char *id);
