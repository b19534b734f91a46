/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A list of answers that are good for more than one review. Objects are kept as text, so that a
 * person can read the file they go into, and a new kernel's hashes do not matter.
 */
#pragma once

#include <jansson.h>

#include "subject.h"

/* Owns its strings. */
struct kept_answer {
	char *profile; /* NULL: of a session */
	enum grith_op op;
	enum subject_kind kind;
	bool directory; /* everything below the object */
	struct text object, second; /* any bytes */
	struct text trust; /* key of what was learned from it; empty: nothing */
	enum grith_verdict verdict; /* GRITH_ALLOW or GRITH_DENY */
	uint64_t time; /* nanoseconds since 1970 */
	uint32_t review; /* that it answered; 0: not known */
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
	const char *trust; /* may be empty */
	enum grith_verdict verdict;
	uint64_t time;
	uint32_t review;
};

/*
 * Replaces the answer to the same question. An object without a lasting name can only be kept for a
 * session, to be seen: what it is about the kernel alone knows. -ENOTSUP, -E2BIG, -ENOMEM.
 */
int answers_keep(struct answers *answers, const struct subject *subject,
		 const struct keeping *keeping);

/* The same for an answer that was read with `r`; takes it over in any case. */
int answers_put(struct answers *answers, struct kept_answer *answer, int r);

/*
 * The answer that fits best: to the very object, else to the longest directory above it. NULL:
 * none. `profile` NULL: of a session.
 */
const struct kept_answer *answers_find(const struct answers *answers, const char *profile,
				       const struct subject *subject);

/* Takes out the answer to a review, or all (0); each goes to `fn` before. How many there were. */
typedef void answers_fn(void *arg, const struct kept_answer *answer);
size_t answers_revoke(struct answers *answers, uint32_t review, answers_fn *fn, void *arg);

void answers_free(struct answers *answers);

/* Whether the operation's objects lie below the directory, and are paths at all. */
bool subject_is_below(const struct subject *subject, const char *directory);

/* --- answers_json.c: as they lie in a file */

/* The caller owns them. NULL: no memory. */
json_t *kept_answer_to_json(const struct kept_answer *answer);
json_t *answers_to_json(const struct answers *answers);

/* Adds to `answers`, which must be empty. 0, -EBADMSG or -ENOMEM; then it is empty again. */
int answers_from_json(const json_t *array, struct answers *answers);
