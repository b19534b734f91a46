/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Globs: what a person writes, the globs it stands for, and the tokens of one glob.
 *
 *   *        any bytes but '/', also none; alone in a component at least one byte
 *   ?        one byte but '/'
 *   [a-z]    one of these bytes, never '/'; [!a-z] one of the others. ASCII only
 *   **       as a whole component: any number of components, also none. "/a/" followed by "**"
 *            matches /a itself and all below it; "**" followed by "/x" matches x in any directory
 *   {a,b}    either; braces nest and may hold slashes
 *   \x       x itself
 *
 * A glob is a path (it starts with '/' or "**"), an abstract unix socket ('@' and its name) or an
 * object without a path ("fstype:name", such as "pipefs:", with "[0-9a-z]*:" for all types). In the
 * latter two '/' is a byte like any other and * and ** are the same.
 *
 * Everything is byte by byte: ? matches one byte of a character that has several.
 */
#pragma once

#include "lib/base/base.h"

#define GLOB_BYTES_MAX 4096 /* of one glob, escapes included */
#define GLOB_BRACES_MAX 64 /* globs that the braces of one may stand for */

enum glob_kind {
	GLOB_BYTE, /* this byte */
	GLOB_ONE, /* one byte of the set */
	GLOB_MANY, /* any number of bytes of the set */
	GLOB_TREE, /* nothing, or '/' and any bytes */
};

struct glob_set {
	uint64_t bits[4];
};

struct glob_token {
	enum glob_kind kind;
	uint8_t byte;
	struct glob_set set;
};

struct glob {
	struct glob_token *tokens;
	size_t count;
};

/*
 * Reads one glob without braces. 0 and the tokens, or -EINVAL and a constant sentence with
 * the reason, or -ENOMEM.
 */
int glob_parse(const char *text, struct glob **ret_glob, const char **ret_why);
void glob_free(struct glob *glob);
DEFINE_CLEANUP(struct glob, glob_free)

/* The definition of matching, in time of tokens times bytes. */
bool glob_match(const struct glob *glob, const char *bytes, size_t length);

static inline bool glob_set_has(const struct glob_set *set, uint8_t byte)
{
	return set->bits[byte / 64] >> (byte % 64) & 1;
}

static inline void glob_set_add(struct glob_set *set, uint8_t byte)
{
	set->bits[byte / 64] |= UINT64_C(1) << (byte % 64);
}

/* What "${NAME}" and "~" stand for; a NULL value has none. */
struct glob_variable {
	const char *name; /* "~" or "PROJECT" */
	const char *value;
	char *const *others; /* it stands for these as well, as braces do; NULL: for one value */
	size_t n_others;
};

/* A NULL-terminated list of strings; freed with glob_list_free(). */
void glob_list_free(char **list);
DEFINE_CLEANUP(char *, glob_list_free)

/*
 * Replaces the variables by their values, taken literally whatever bytes they have, and multiplies
 * the braces out. "~" is one only at the start. 0 and a list with at least one glob, or -EINVAL
 * and a constant sentence, or -E2BIG likewise for a limit, or -ENOMEM.
 */
int glob_expand(const char *text, const struct glob_variable *variables, size_t n_variables,
		char ***ret_list, const char **ret_why);
