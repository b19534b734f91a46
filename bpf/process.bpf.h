/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Operations on other processes, whole: whose the target is, what the policy has for one outside
 * the session, decision and record.
 */
#pragma once

#include "decide.bpf.h"
#include "inspect.bpf.h"
#include "record.bpf.h"

static __always_inline void record_process(struct operation *o, struct task_struct *target,
					   __u64 session, __u32 mode)
{
	struct grith_process_record *record;

	record = record_begin(o, GRITH_KIND_PROCESS, sizeof(*record));
	if (!record)
		return;
	record->target = BPF_CORE_READ(target, tgid);
	record->mode = mode;
	record->target_session = session;
	bpf_probe_read_kernel(record->target_comm, sizeof(record->target_comm), target->comm);
	record_send(o, GRITH_KIND_PROCESS);
}

/* `mode` is recorded, unless `quiet`. */
static __always_inline int process_operation(enum grith_op op, struct task_struct *target,
					     __u32 mode, bool quiet)
{
	__u64 own = session_of_current(), session;
	struct operation o;
	int r;

	if (!own)
		return 0;
	session = session_of(target);
	if (session == own)
		return awaits_inspection() ? -EACCES : 0;
	r = operation_begin(&o, op);
	if (r <= 0)
		return r;
	o.d->outcome = op == GRITH_OP_SIGNAL ? FIXED_OUTCOME(o.session, signal)
					     : FIXED_OUTCOME(o.session, ptrace_access);
	o.d->request.process.start_time = target->start_time;
	o.d->request.process.pid = target->tgid;
	o.d->request.process.mode = mode;
	r = operation_decide(&o);
	if (!quiet && !o.d->recorded)
		record_process(&o, target, session, mode);
	scratch_give(o.scratch);
	return r;
}
