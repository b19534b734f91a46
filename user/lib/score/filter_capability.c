/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The filter "capability": what the session's profile does not say that its program may do at all.
 */
#include <string.h>

#include "internal.h"

enum { MISSING = 0 };
enum { NAMES = 0 };

static const char *const numbers[] = { [MISSING] = "missing" };
static const struct score_list_kind lists[] = { [NAMES] = { "names", SCORE_WORDS } };

/* NULL: needs none. A file mapped executable is a part of an exec that was judged. */
static const char *needed(const struct score_operation *o)
{
	bool unix_socket = o->path.length > 0;

	switch (o->op) {
	case GRITH_OP_READ:
	case GRITH_OP_OPENDIR:
	case GRITH_OP_LIST:
	case GRITH_OP_RECEIVE:
		return "fs:read";
	case GRITH_OP_WRITE:
	case GRITH_OP_CREATE:
	case GRITH_OP_RENAME:
	case GRITH_OP_LINK:
	case GRITH_OP_TRUNCATE:
		return "fs:write";
	case GRITH_OP_DELETE:
		return "fs:delete";
	case GRITH_OP_METADATA:
		return "fs:metadata";
	case GRITH_OP_EXEC:
		return "exec";
	case GRITH_OP_CONNECT:
	case GRITH_OP_SEND:
		return unix_socket ? "unix:connect" : "net:connect";
	case GRITH_OP_BIND:
		return unix_socket ? NULL : "net:bind";
	case GRITH_OP_LISTEN:
		return unix_socket ? NULL : "net:listen";
	case GRITH_OP_PTRACE_ACCESS:
	case GRITH_OP_SIGNAL:
		return "process:touch";
	default:
		return NULL;
	}
}

static void judge(const struct judged *judged, struct score *score)
{
	const struct score_operation *o = judged->operation;
	const char *name = needed(o);

	if (!o->grants || !name ||
	    !score_list_has(score_list(judged->weights, FILTER_CAPABILITY, NAMES), name))
		return;
	for (size_t i = 0; i < o->n_grants; i++)
		if (!strcmp(o->grants[i], name))
			return;
	score_add(score, FILTER_CAPABILITY,
		  score_number(judged->weights, FILTER_CAPABILITY, MISSING),
		  "the profile does not grant %s", name);
}

const struct filter filter_capability = {
	.numbers = numbers,
	.n_numbers = ARRAY_SIZE(numbers),
	.lists = lists,
	.n_lists = ARRAY_SIZE(lists),
	.judge = judge,
};
