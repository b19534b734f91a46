/* SPDX-License-Identifier: MPL-2.0 */
/* The filter "capability": a kind of operation that the session's profile does not grant. */
#include "evaluation.h"

#define NUMBERS(NUMBER) NUMBER(MISSING, "missing")
#define LISTS(LIST) LIST(NAMES, "names", SCORE_WORDS)
FILTER_INDICES(NUMBERS);
FILTER_INDICES(LISTS);

/* NULL: needs none. A file mapped executable is a part of an exec that was decided. */
static const char *needed(const struct score_operation *o)
{
	static const char *const capabilities[GRITH_OPS] = {
		[GRITH_OP_READ] = "fs:read",
		[GRITH_OP_OPENDIR] = "fs:read",
		[GRITH_OP_LIST] = "fs:read",
		[GRITH_OP_RECEIVE] = "fs:read",
		[GRITH_OP_WRITE] = "fs:write",
		[GRITH_OP_CREATE] = "fs:write",
		[GRITH_OP_RENAME] = "fs:write",
		[GRITH_OP_LINK] = "fs:write",
		[GRITH_OP_TRUNCATE] = "fs:write",
		[GRITH_OP_DELETE] = "fs:delete",
		[GRITH_OP_METADATA] = "fs:metadata",
		[GRITH_OP_EXEC] = "exec",
		[GRITH_OP_CONNECT] = "net:connect",
		[GRITH_OP_SEND] = "net:connect",
		[GRITH_OP_BIND] = "net:bind",
		[GRITH_OP_LISTEN] = "net:listen",
		[GRITH_OP_PTRACE_ACCESS] = "process:touch",
		[GRITH_OP_SIGNAL] = "process:touch",
	};
	const char *name = o->op < GRITH_OPS ? capabilities[o->op] : NULL;

	if (!name || strncmp(name, "net:", 4) != 0 || !o->path.length)
		return name;
	/* A socket with a path. */
	return strcmp(name, "net:connect") == 0 ? "unix:connect" : NULL;
}

static void evaluate(const struct evaluation *e)
{
	const struct score_operation *o = e->operation;
	const char *name = needed(o);

	if (!o->grants || !name || !score_list_has(eval_list(e, NAMES), name))
		return;
	for (size_t i = 0; i < o->n_grants; i++)
		if (!strcmp(o->grants[i], name))
			return;
	eval_add(e, MISSING, "the profile does not grant %s", name);
}

FILTER(capability, NUMBERS, LISTS, .evaluate = evaluate);
