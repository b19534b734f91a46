/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Files that stand for something else, which is decided with them whatever they are called and
 * wherever they are mounted: a process, by its files in /proc; a control group; a disk. That can
 * only make stricter what the policy has for the name.
 */
#pragma once

#include "object.bpf.h"

#define FMODE_WRITE 0x2

#define PROC_SUPER_MAGIC 0x9fa0
#define CGROUP_SUPER_MAGIC 0x27e0eb
#define CGROUP2_SUPER_MAGIC 0x63677270

/* Whose file of /proc it is: a process or thread, that may have ended. NULL: the kernel's. */
static __always_inline struct pid *proc_pid(struct inode *inode)
{
	struct proc_inode *proc =
		(void *)inode - bpf_core_field_offset(struct proc_inode, vfs_inode);

	return BPF_CORE_READ(proc, pid);
}

/* NULL: it has ended. */
static __always_inline struct task_struct *task_of_pid(struct pid *pid)
{
	struct hlist_node *first = BPF_CORE_READ(pid, tasks[0].first); /* PIDTYPE_PID */

	return first ? (void *)first - bpf_core_field_offset(struct task_struct, pid_links) : NULL;
}

/*
 * The file is one of a control group that the session made for itself. In all others, its own
 * included, writing moves tasks out of it, or lifts its limits.
 */
static __always_inline bool is_in_own_cgroup(struct file *file, __u64 session)
{
	struct dentry *directory = file->f_path.dentry->d_parent;
	struct kernfs_node *node = BPF_CORE_READ(directory, d_inode, i_private);
	struct cgroup *cgroup = BPF_CORE_READ(node, priv), *ancestor = NULL;

	if (BPF_CORE_READ(cgroup, level) <= (int)root_level + 1)
		return false;
	bpf_probe_read_kernel(&ancestor, sizeof(ancestor),
			      (void *)cgroup + bpf_core_field_offset(struct cgroup, ancestors) +
				      (root_level + 1) * sizeof(ancestor));
	return BPF_CORE_READ(ancestor, kn, id) == session;
}

/* Most files are none of these, and are to cost no call. */
static __always_inline bool file_is_guarded(const struct file *file)
{
	const struct inode *inode = file->f_inode;
	unsigned long magic;

	if ((inode->i_mode & S_IFMT) == S_IFBLK)
		return true;
	if (!(file->f_mode & FMODE_WRITE))
		return false;
	magic = inode->i_sb->s_magic;
	return magic == PROC_SUPER_MAGIC || magic == CGROUP2_SUPER_MAGIC ||
	       magic == CGROUP_SUPER_MAGIC;
}

static __always_inline void guard_proc(struct operation *o, struct inode *inode)
{
	struct pid *pid = proc_pid(inode);
	struct task_struct *task;

	if (!pid) {
		outcome_add(o, FIXED_OUTCOME(o->session, kernel));
		return;
	}
	task = task_of_pid(pid);
	if (task && session_of(task) != o->d->session_id)
		outcome_add(o, FIXED_OUTCOME(o->session, ptrace_access));
}

/*
 * After the path of a guarded file was looked up. What is written to comm, oom_score_adj, uid_map,
 * ... changes the process, and to other files of /proc the kernel; reading is guarded by ptrace
 * access, where it tells what is not everybody's. A disk has the content of every file on it.
 * Control groups of version 1 are never a session's.
 */
static __noinline int guard_file(struct operation *o, struct file *file)
{
	unsigned long magic = file->f_inode->i_sb->s_magic;

	if (magic == PROC_SUPER_MAGIC)
		guard_proc(o, file->f_inode);
	else if (magic != CGROUP2_SUPER_MAGIC || !is_in_own_cgroup(file, o->d->session_id))
		outcome_add(o, FIXED_OUTCOME(o->session, kernel));
	return 0;
}
