/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * From the policy's outcome to what happens. Most operations are allowed and leave the session as
 * it is: that is told here. Everything else is judge.bpf.c's, which the verifier sees once and not
 * once for every hook.
 */
#ifndef GRITH_JUDGE_BPF_H
#define GRITH_JUDGE_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

#include "operation.bpf.h"

/* Settles verdict, score and j->error. 0: always; what is to be returned is j->error. */
extern int judge_closely(struct judgement *j);

/* Whether the session's state can matter to the operation, or the operation to the state. */
static __always_inline bool context_matters(const struct operation *o)
{
	if (o->outcome.flags & GRITH_OUTCOME_ALWAYS)
		return false;
	switch (o->op) {
	case GRITH_OP_STAT:
	case GRITH_OP_LIST:
	case GRITH_OP_MAP:
		return false;
	case GRITH_OP_READ:
	case GRITH_OP_OPENDIR:
		return o->outcome.labels || o->session->context.tainted_any;
	default:
		return true;
	}
}

static __always_inline bool is_plain(const struct operation *o)
{
	return o->outcome.verdict == GRITH_ALLOW && o->outcome.score <= 0 &&
	       !o->session->has_inspected && !context_matters(o);
}

/*
 * Verdict and errno of the operation; then o->told says that it needs no record. The texts of the
 * object are in the scratch, `more` is what else tells it from others.
 */
static __always_inline int operation_judge(struct operation *o, __u32 more)
{
	int error;

	if (is_plain(o))
		return 0;
	o->more = more;
	judge_closely((struct judgement *)&o->session_id);
	/* What it can be, for the verifier; the barrier keeps the two comparisons apart. */
	error = o->error;
	if (error >= 0)
		return 0;
	barrier_var(error);
	return error < -MAX_ERRNO ? -EACCES : error;
}

#endif
