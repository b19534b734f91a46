/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * io_uring itself: whether a session may have a ring at all, and what a ring can do beyond ordinary
 * operations. Those reach the same hooks as system calls do.
 */
#include "hook.bpf.h"
#include "decide.bpf.h"
#include "record.bpf.h"

static __noinline int ring_operation(enum variant variant)
{
	struct operation o;
	int r = operation_begin(&o, GRITH_OP_RING);

	if (r <= 0)
		return r;
	o.d->outcome = FIXED_OUTCOME(o.session, ring);
	o.d->request.raw.variant = variant;
	r = operation_decide(&o);
	if (!o.d->recorded && record_begin(&o, GRITH_KIND_RING, sizeof(struct grith_record)))
		record_send(&o, GRITH_KIND_RING);
	scratch_give(o.scratch);
	return r;
}

/* The ring's descriptor: the one hook that every kernel has and that a new ring passes. */
HOOK(inode_init_security_anon, struct inode *inode, const struct qstr *name,
     const struct inode *context)
{
	static const char wanted[] = "[io_uring]";
	char is[sizeof(wanted)] = {};
	int i;

	if (!session_of_current() || !name)
		return 0;
	bpf_probe_read_kernel_str(is, sizeof(is), name->name);
	for (i = 0; i < (int)sizeof(wanted); i++)
		if (is[i] != wanted[i])
			return 0;
	return ring_operation(VARIANT_NONE);
}

OPTIONAL_HOOK(uring_allowed) /* since 6.15 */
{
	return ring_operation(VARIANT_NONE);
}

OPTIONAL_HOOK(uring_sqpoll)
{
	return ring_operation(RING_SQPOLL);
}

OPTIONAL_HOOK(uring_override_creds, const struct cred *credentials)
{
	return ring_operation(RING_CREDENTIALS);
}

OPTIONAL_HOOK(uring_cmd, struct io_uring_cmd *command)
{
	return ring_operation(RING_COMMAND);
}
