/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Differences between kernels and between architectures, by feature. What is here may go when the
 * version named with it is the oldest that is supported.
 */
#pragma once

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#define PF_IO_WORKER 0x00000010
#define PF_USER_WORKER 0x00004000 /* since 6.4 */
#define PF_KTHREAD 0x00200000

#if defined(__TARGET_ARCH_x86)
struct pt_regs {
	unsigned long ax, orig_ax;
} __attribute__((preserve_access_index));
#define PT_REGS_SYSCALL_NR(regs) ((__s32)(regs)->orig_ax)
#define PT_REGS_IN_CALL(regs) ((__s32)(regs)->ax == -38) /* -ENOSYS until there is a result */

struct thread_info___x86 {
	__u32 status;
} __attribute__((preserve_access_index));
#define THREAD_INFO thread_info___x86
#define IS_COMPAT(info) ((info)->status & 2) /* TS_COMPAT: int 0x80 from a 64-bit program, too */
#elif defined(__TARGET_ARCH_arm64)
struct pt_regs {
	int syscallno;
} __attribute__((preserve_access_index));
#define PT_REGS_SYSCALL_NR(regs) ((regs)->syscallno)
#define PT_REGS_IN_CALL(regs) ((regs)->syscallno >= 0) /* no better sign is known */

struct thread_info___arm64 {
	unsigned long flags;
} __attribute__((preserve_access_index));
#define THREAD_INFO thread_info___arm64
#define IS_COMPAT(info) ((info)->flags & 1ul << 22) /* TIF_32BIT */
#else
#error "no registers known for this architecture"
#endif

/* The task's information lies at the beginning of its structure on both architectures. */
static __always_inline bool is_compat(struct task_struct *task)
{
	struct THREAD_INFO *info = (void *)task;

	return IS_COMPAT(info);
}

/*
 * Fields that moved. What the running kernel does not have must not be computed before it is
 * known to be there: hence the barriers.
 */

/* Where a short name lies inside its directory entry: at least 32 bytes. */
struct dentry___until_6_14 {
	unsigned char d_iname[32];
} __attribute__((preserve_access_index));

struct dentry___since_6_15 {
	struct {
		__u64 words[4];
	} d_shortname;
} __attribute__((preserve_access_index));

static __always_inline const __u64 *entry_short_name(struct dentry *entry)
{
	struct dentry___until_6_14 *older = (void *)entry;
	struct dentry___since_6_15 *newer = (void *)entry;

	if (bpf_core_field_exists(older->d_iname))
		return (const __u64 *)&older->d_iname;
	barrier_var(newer);
	return (const __u64 *)&newer->d_shortname;
}

/*
 * What tells a mount namespace from all others, never used again; 0 for one whose mounts are
 * attached nowhere, as open_tree() and fsmount() make them.
 */
struct mnt_namespace___until_6_17 {
	__u64 seq;
} __attribute__((preserve_access_index));

struct mnt_namespace___since_6_18 {
	struct ns_common___since_6_18 {
		__u64 ns_id;
	} ns;
} __attribute__((preserve_access_index));

static __always_inline __u64 mount_namespace_id(struct mnt_namespace *ns)
{
	struct mnt_namespace___until_6_17 *older = (void *)ns;
	struct mnt_namespace___since_6_18 *newer = (void *)ns;

	if (bpf_core_field_exists(older->seq))
		return older->seq;
	barrier_var(newer);
	return newer->ns.ns_id;
}

/* The same by an address that has no type; 0 for none. */
static __always_inline __u64 mount_namespace_id_at(void *ns)
{
	struct mnt_namespace___until_6_17 *older = ns;
	struct mnt_namespace___since_6_18 *newer = ns;

	if (bpf_core_field_exists(older->seq))
		return BPF_CORE_READ(older, seq);
	barrier_var(newer);
	return BPF_CORE_READ(newer, ns.ns_id);
}

/* The mounts of a superblock: a list of list heads until 6.17, then one of mounts. */
struct super_block___until_6_17 {
	struct list_head s_mounts;
} __attribute__((preserve_access_index));

struct mount___until_6_17 {
	struct list_head mnt_instance;
} __attribute__((preserve_access_index));

struct super_block___since_6_18 {
	struct mount *s_mounts;
} __attribute__((preserve_access_index));

struct mount___since_6_18 {
	struct mount *mnt_next_for_sb;
} __attribute__((preserve_access_index));

static __always_inline void *address_at(const void *where)
{
	void *address = NULL;

	bpf_probe_read_kernel(&address, sizeof(address), where);
	return address;
}

/* What sb_next_mount() takes first. */
static __always_inline void *sb_mounts(void *sb)
{
	struct super_block___until_6_17 *older = sb;
	struct super_block___since_6_18 *newer = sb;
	struct mount___until_6_17 *mount = NULL;

	if (bpf_core_field_exists(mount->mnt_instance))
		return address_at((void *)older + bpf_core_field_offset(older->s_mounts));
	barrier_var(newer);
	return BPF_CORE_READ(newer, s_mounts);
}

/*
 * One step: the mount at `*at`, and `*at` moves to the next. NULL: the end. What another CPU takes
 * off the list meanwhile leads nowhere, which the next step shows as SB_MOUNTS_BROKEN.
 */
#define SB_MOUNTS_BROKEN ((void *)1)

static __always_inline void *sb_next_mount(void *sb, void **at)
{
	struct super_block___until_6_17 *older_sb = sb;
	struct mount___until_6_17 *older = NULL;
	struct mount___since_6_18 *newer = *at;
	void *mount = *at;

	if (bpf_core_field_exists(older->mnt_instance)) {
		if (mount == (void *)older_sb + bpf_core_field_offset(older_sb->s_mounts))
			return NULL;
		if (bpf_probe_read_kernel(at, sizeof(*at), mount))
			return SB_MOUNTS_BROKEN;
		return mount - bpf_core_field_offset(older->mnt_instance);
	}
	if (!mount)
		return NULL;
	barrier_var(newer);
	if (bpf_probe_read_kernel(at, sizeof(*at),
				  (void *)newer + bpf_core_field_offset(newer->mnt_next_for_sb)))
		return SB_MOUNTS_BROKEN;
	return mount;
}

/* To whom a file's signals go: a part of the file, and since 6.12 an object of its own. */
struct file___until_6_11 {
	struct fown_struct f_owner;
} __attribute__((preserve_access_index));

struct file___since_6_12 {
	struct fown_struct *f_owner;
} __attribute__((preserve_access_index));

static __always_inline __u64 signal_owner_of(struct file *file)
{
	struct file___until_6_11 *older = (void *)file;
	struct file___since_6_12 *newer = (void *)file;

	if (bpf_core_field_exists(older->f_owner))
		return (__u64)&older->f_owner;
	barrier_var(newer);
	return (__u64)BPF_CORE_READ(newer, f_owner);
}

/* Capabilities: 64 bits in a structure whose name and member changed in 6.3. */
struct cred___caps {
	struct kernel_cap___any {
		__u64 bits;
	} cap_effective;
} __attribute__((preserve_access_index));

static __always_inline bool has_capability(const struct cred *cred, int capability)
{
	const struct cred___caps *caps = (const void *)cred;
	__u64 effective = 0;

	bpf_probe_read_kernel(&effective, sizeof(effective), &caps->cap_effective);
	return effective >> (capability & 63) & 1;
}
