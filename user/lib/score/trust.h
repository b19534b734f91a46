/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Learned trust: what people answered before, per profile, operation, program and object. Each key
 * has the two weights of a Beta(a, b): answers for it and against it. Both lose 2 % an hour, so
 * that a habit of last month is not one. The numbers are `trust` of the weights.
 *
 * Times are seconds since 1970, given by the caller: they outlive a reboot. Pure; the caller keeps
 * it in a file, as a JSON value.
 */
#pragma once

#include <jansson.h>

#include "scoring.h"

#define TRUST_KEYS_MAX 8192 /* beyond it the weakest key is forgotten */
#define TRUST_OBJECT_MAX 256 /* bytes, with the NUL */
#define TRUST_NAME_MAX 4096 /* bytes of a profile's or a program's name, with the NUL */

enum trust_answer {
	TRUST_APPROVE = 0,
	TRUST_APPROVE_ALWAYS,
	TRUST_DENY,
	TRUST_DENY_STOP, /* deny, and the session ends */
	TRUST_ANSWERS,
};

struct trust_key {
	const char *profile;
	enum grith_op op;
	const char *program; /* its path */
	const char
		*object; /* from trust_object(), or the caller's own word for a class of objects */
};

/* One key, faded to the time given. Strings are borrowed from the table. */
struct trust_row {
	struct trust_key key;
	double approved, denied; /* a and b */
	uint64_t time; /* of the last answer */
};

struct trust;

struct trust *trust_new(void); /* NULL: no memory */
void trust_free(struct trust *trust);
DEFINE_CLEANUP(struct trust, trust_free)

/*
 * The class that the object of an operation belongs to: "host:port" for the network, the project,
 * the first directory in the home directory, or the first two directories otherwise. 0, or -ENOENT
 * where it has none: an operation without an object, or one whose name is too long.
 */
int trust_object(const struct score_operation *operation, char ret_object[TRUST_OBJECT_MAX]);

/* Counts an answer. 0, -EINVAL (a key that is too long or not UTF-8), -ENOMEM. */
int trust_note(const struct score_weights *weights, struct trust *trust,
	       const struct trust_key *key, enum trust_answer answer, uint64_t now);

/*
 * Adds what is known of the key to a score, as its part FILTER_TRUST: at most 4.0 either way, and
 * never down where a secret is in it. True where the operation may be allowed whatever the sum is:
 * the key is known well (a + b >= 8, a / (a + b) >= 0.92), the score is at most 7.0, no part of it
 * is 5.0 or more, of a secret or of mass destruction, nothing failed, and `credential` (the object
 * is of a class of credentials) is false.
 */
bool trust_apply(const struct score_weights *weights, const struct trust *trust,
		 const struct trust_key *key, uint64_t now, bool credential, struct score *score);

/* What is known, in the order of the keys. `index` is below trust_count(). */
size_t trust_count(const struct trust *trust);
struct trust_key trust_key_at(const struct trust *trust, size_t index);
void trust_at(const struct score_weights *weights, const struct trust *trust, size_t index,
	      uint64_t now, struct trust_row *ret_row);

/* Forgets one key, whose strings may be the table's own. Whether it was there. */
bool trust_forget(struct trust *trust, const struct trust_key *key);

/* Forgets the keys of a profile, or of all of them (NULL). Returns how many. */
size_t trust_reset(struct trust *trust, const char *profile);

/* The table as a JSON value, which the caller owns: {"trust": 1, "keys": [...]}. 0 or -ENOMEM. */
int trust_save(const struct trust *trust, json_t **ret_json);

/* 0, -EINVAL (not what trust_save() made), -E2BIG (more than TRUST_KEYS_MAX keys), -ENOMEM. */
int trust_load(const json_t *json, struct trust **ret_trust);
