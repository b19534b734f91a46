/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Which session a task belongs to: the cgroup directly below grith's root on the way from the
 * task's own cgroup to the root of all. A cgroup that a session makes for itself is below its own.
 *
 * A task in grith's root cgroup itself is in no session: grithd puts nobody there. A task below it
 * in a cgroup that the map does not have is supervised by nobody's policy, and is refused.
 */
#ifndef GRITH_SESSION_BPF_H
#define GRITH_SESSION_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#include "maps.bpf.h"

/* The running task's session, 0 outside all. All that a task outside has to pay. */
static __always_inline __u64 session_of_current(void)
{
	if (bpf_get_current_ancestor_cgroup_id(root_level) != root_cgroup)
		return 0;
	return bpf_get_current_ancestor_cgroup_id(root_level + 1); /* 0 for the root itself */
}

/* Another task's session. It may move meanwhile; what is read is one or the other. */
static __always_inline __u64 session_of(struct task_struct *task)
{
	struct cgroup *cgroup = BPF_CORE_READ(task, cgroups, dfl_cgrp);
	struct cgroup *ancestor;
	void *at;

	if (BPF_CORE_READ(cgroup, level) <= (int)root_level)
		return 0;
	at = (void *)cgroup + bpf_core_field_offset(struct cgroup, ancestors);
	if (bpf_probe_read_kernel(&ancestor, sizeof(ancestor),
				  at + root_level * sizeof(ancestor)) ||
	    BPF_CORE_READ(ancestor, kn, id) != root_cgroup)
		return 0;
	if (bpf_probe_read_kernel(&ancestor, sizeof(ancestor),
				  at + (root_level + 1) * sizeof(ancestor)))
		return 0;
	return BPF_CORE_READ(ancestor, kn, id);
}

#endif
