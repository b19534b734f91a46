/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * From the policy's outcome to what happens: the fast path. Most operations are allowed and neither
 * depend on the session's state nor change it. All others go the slow path, decide.bpf.c, which the
 * verifier sees once and not once for every hook.
 */
#pragma once

#include "begin.bpf.h"
#include "lookup.bpf.h"

/* Sets verdict, score and d->error, which is to be returned. Returns 0. */
extern int decide_slow(struct decision *d);

/* Whether the session's state can matter to the operation, or the operation to the state. */
static __always_inline bool context_matters(const struct operation *o)
{
	if (o->d->outcome.flags & GRITH_OUTCOME_ALWAYS)
		return false;
	switch (o->d->op) {
	case GRITH_OP_STAT:
	case GRITH_OP_LIST:
	case GRITH_OP_MAP:
	case GRITH_OP_TERMINAL:
	case GRITH_OP_IPC:
	case GRITH_OP_KEY:
	case GRITH_OP_KERNEL:
	case GRITH_OP_ADJUST:
	case GRITH_OP_MOUNT:
	case GRITH_OP_NAMESPACE:
		return false;
	case GRITH_OP_READ:
	case GRITH_OP_OPENDIR:
		return o->d->outcome.labels || o->session->context.tainted_any;
	default:
		return true;
	}
}

/* The object was made in the session: no rule decides on it, and the session's state does not. */
static __always_inline void outcome_set_own(struct operation *o)
{
	o->d->outcome = (struct grith_outcome) {
		.verdict = GRITH_ALLOW,
		.flags = GRITH_OUTCOME_ALWAYS,
	};
	o->d->flags |= GRITH_RECORD_OWN;
}

static __always_inline bool is_fast(const struct operation *o)
{
	return o->d->outcome.verdict == GRITH_ALLOW && o->d->outcome.score <= 0 &&
	       !o->session->has_inspected && !context_matters(o);
}

/* What the hook returns; the barrier keeps the two comparisons apart, for the verifier. */
static __always_inline int operation_error(const struct operation *o)
{
	int error = o->d->error;

	if (error >= 0)
		return 0;
	barrier_var(error);
	return error < -MAX_ERRNO ? -EACCES : error;
}

/*
 * Verdict and errno of the operation; d->recorded: it needs no record. The texts of the object are
 * in the scratch, and d->request is filled.
 */
static __always_inline int operation_decide(struct operation *o)
{
	if (is_fast(o))
		return 0;
	decide_slow(o->d);
	return operation_error(o);
}
