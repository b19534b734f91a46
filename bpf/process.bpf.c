/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * What a session does to other processes: tracing and all that /proc guards in the same way
 * (environment, memory, descriptors), and signals. Within a session everything is allowed and
 * nothing recorded.
 */
#include "hook.bpf.h"
#include "decide.bpf.h"
#include "emit.bpf.h"
#include "operation.bpf.h"

char LICENSE[] SEC("license") = "Dual MPL/GPL";

#define PTRACE_MODE_NOAUDIT 0x04

static __always_inline void record_process(struct operation *o, struct task_struct *target,
					   __u64 session, __u32 mode)
{
	struct grith_process_record *record;

	record = record_begin(o, GRITH_KIND_PROCESS, sizeof(*record));
	if (!record)
		return;
	record->target = target->tgid;
	record->mode = mode;
	record->target_session = session;
	bpf_probe_read_kernel(record->target_comm, sizeof(record->target_comm), target->comm);
	record_send(o, GRITH_KIND_PROCESS);
}

/* `mode` is recorded, unless `quiet`. */
static __always_inline int process_operation(enum grith_op op, struct task_struct *target,
					     __u32 mode, bool quiet)
{
	const struct grith_image_header *header;
	__u64 own = session_of_current(), session;
	struct operation o;
	int r;

	if (!own)
		return 0;
	session = session_of(target);
	if (session == own)
		return 0;
	r = operation_begin(&o, op);
	if (r <= 0)
		return r;
	header = (const void *)image_of_slot(o.session->image);
	if (header) {
		o.outcome = image_outcome((const void *)header,
					  op == GRITH_OP_SIGNAL ? header->signal : header->touch);
	} else {
		count(GRITH_COUNT_NO_IMAGE);
		o.outcome = OUTCOME_DENY;
	}
	r = operation_judge(&o);
	if (!quiet)
		record_process(&o, target, session, mode);
	scratch_give(o.scratch);
	return r;
}

/* A check without audit only decides what a listing shows, and is made for every process there. */
HOOK(ptrace_access_check, struct task_struct *child, unsigned int mode, int ret)
{
	if (ret)
		return ret;
	return process_operation(GRITH_OP_TOUCH, child, mode, mode & PTRACE_MODE_NOAUDIT);
}

/* Signals of the kernel's own do not come here. */
HOOK(task_kill, struct task_struct *target, struct kernel_siginfo *info, int signal,
     const struct cred *credentials, int ret)
{
	if (ret)
		return ret;
	return process_operation(GRITH_OP_SIGNAL, target, signal, false);
}
