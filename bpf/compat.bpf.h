/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Differences between kernels and between architectures, by feature. What is here may go when the
 * version named with it is the oldest that is supported.
 */
#ifndef GRITH_COMPAT_BPF_H
#define GRITH_COMPAT_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#define NR_IO_URING_ENTER 426 /* on every architecture, for 32-bit calls too */

#if defined(__TARGET_ARCH_x86)
struct pt_regs {
	unsigned long orig_ax;
} __attribute__((preserve_access_index));
#define PT_REGS_SYSCALL_NR(regs) ((__s32)(regs)->orig_ax)
#define NR_CONNECT 42
#elif defined(__TARGET_ARCH_arm64)
struct pt_regs {
	int syscallno;
} __attribute__((preserve_access_index));
#define PT_REGS_SYSCALL_NR(regs) ((regs)->syscallno)
#define NR_CONNECT 203
#else
#error "no registers known for this architecture"
#endif

/* The system call the task is in, or was made in if it is a kernel worker of its process. */
static __always_inline int syscall_number(struct task_struct *task)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);

	return PT_REGS_SYSCALL_NR(regs);
}

/*
 * A namespace for mounts that are attached nowhere, as open_tree() and fsmount() make them: its
 * number is 0. Since 6.18 all namespaces have their number in ns_common.
 */
struct ns_common___numbered {
	__u64 ns_id;
} __attribute__((preserve_access_index));

struct mnt_namespace___numbered {
	struct ns_common___numbered ns;
} __attribute__((preserve_access_index));

struct mnt_namespace {
	__u64 seq; /* until 6.17 */
} __attribute__((preserve_access_index));

static __always_inline bool is_anonymous(struct mnt_namespace *ns)
{
	struct mnt_namespace___numbered *numbered = (void *)ns;

	if (bpf_core_field_exists(ns->seq))
		return BPF_CORE_READ(ns, seq) == 0;
	/* Keeps the compiler from computing the address, which older kernels do not have, before. */
	barrier_var(numbered);
	return BPF_CORE_READ(numbered, ns.ns_id) == 0;
}

#endif
