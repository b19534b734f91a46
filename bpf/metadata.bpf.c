/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * What is known about files: mode, owner, extended attributes, and whether they are there at all.
 */
#include "hook.bpf.h"
#include "hash.bpf.h"
#include "object.bpf.h"

#define SIGKILL 9

HOOK(path_chmod, struct path *path, umode_t mode)
{
	return path_request(GRITH_OP_METADATA, path->mnt, path->dentry, ONE_CLASS(METADATA), 0,
			    CHANGE_MODE, mode);
}

HOOK(path_chown, struct path *path, unsigned int uid, unsigned int gid)
{
	return path_request(GRITH_OP_METADATA, path->mnt, path->dentry, ONE_CLASS(METADATA), 0,
			    CHANGE_OWNER, (__u64)uid << 32 | gid);
}

/*
 * The hooks for extended attributes have no mount, so that the object's name is not known, only
 * where it is in its file system. It is looked up by the name it has in a mount of that file system
 * which the task has at hand: its working directory's, else its root's. That is a true name of the
 * object, and one that the task could have used. In any other file system it is unknown.
 */
static __always_inline struct vfsmount *mount_at_hand(struct dentry *entry)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct vfsmount *mnt = task->fs->pwd.mnt;

	if (mnt->mnt_sb == entry->d_sb)
		return mnt;
	mnt = task->fs->root.mnt;
	return mnt->mnt_sb == entry->d_sb ? mnt : NULL;
}

/* `size` 0: the value does not matter, or there is none. */
static __always_inline int attribute_operation(struct dentry *entry, enum variant variant,
					       const char *name, const void *value, __u32 size)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct vfsmount *mnt;
	struct operation o;
	int r = operation_begin(&o, GRITH_OP_METADATA);

	if (r <= 0)
		return r;
	mnt = mount_at_hand(entry);
	/*
	 * The kernel's own doing, in an overlay's layer and with the credentials of its mounter:
	 * not an operation. A ring can take other credentials too, and is no excuse.
	 */
	if (!mnt && task->cred != task->real_cred && !is_uring(task))
		return operation_drop(&o);
	o.d->request.path.variant = variant;
	request_add_string(&o, name);
	if (size)
		request_add_bytes(&o, value, size);
	return path_operation(&o, mnt, entry, ONE_CLASS(METADATA), 0);
}

HOOK(inode_setxattr, void *idmap, struct dentry *entry, const char *name, const void *value,
     size_t size, int flags)
{
	__u64 at = 0;

	bpf_get_func_arg(
		ctx, 3,
		&at); /* value: the verifier of 6.1 refuses loads of a pointer to const void */
	return attribute_operation(entry, SET_XATTR, name, (const void *)at, size);
}

HOOK(inode_removexattr, void *idmap, struct dentry *entry, const char *name)
{
	return attribute_operation(entry, REMOVE_XATTR, name, NULL, 0);
}

/* Since 6.2; before, access control lists come as any other attribute. */
OPTIONAL_HOOK(inode_set_acl, void *idmap, struct dentry *entry, const char *name,
	      struct posix_acl *acl)
{
	const void *entries = (const void *)acl + bpf_core_field_offset(*acl, a_entries);
	__u32 count = acl ? BPF_CORE_READ(acl, a_count) : 0;

	return attribute_operation(entry, SET_XATTR, name, entries,
				   count * bpf_core_type_size(struct posix_acl_entry));
}

OPTIONAL_HOOK(inode_remove_acl, void *idmap, struct dentry *entry, const char *name)
{
	return attribute_operation(entry, REMOVE_XATTR, name, NULL, 0);
}

/*
 * Times (utimensat, utime). Their hook has no mount, but the function that calls it has: there it
 * is decided, and what was decided is what the hook returns. In between nothing has happened.
 * Which times is no part of the request.
 */

/* Key: thread; value: the negative errno. An entry is there while its thread is in vfs_utimes(). */
MAP(refused_times, HASH, 65536, BPF_F_NO_PREALLOC, __u64, __s32);

SEC("fentry/vfs_utimes")
int BPF_PROG(vfs_utimes_begin, struct path *path)
{
	__u64 thread = bpf_get_current_pid_tgid();
	__s32 r;

	r = path_request(GRITH_OP_METADATA, path->mnt, path->dentry, ONE_CLASS(METADATA), 0,
			 CHANGE_TIMES, 0);
	/* Cannot refuse. Fail closed: whoever is not noted is killed. */
	if (r && bpf_map_update_elem(&refused_times, &thread, &r, BPF_ANY))
		bpf_send_signal(SIGKILL);
	return 0;
}

SEC("fexit/vfs_utimes")
int BPF_PROG(vfs_utimes_end, struct path *path)
{
	__u64 thread = bpf_get_current_pid_tgid();

	if (session_of_current())
		bpf_map_delete_elem(&refused_times, &thread);
	return 0;
}

/* As a function before the hook for both attachments: the hook has another argument since 6.9. */
SEC("fmod_ret/security_inode_setattr")
int BPF_PROG(inode_setattr)
{
	__u64 thread = bpf_get_current_pid_tgid();
	const __s32 *refused =
		session_of_current() ? bpf_map_lookup_elem(&refused_times, &thread) : NULL;

	return refused ? *refused : 0;
}

/* What only looks: everything about a file may be known, unless it is hidden. */
static __noinline int look(struct vfsmount *mnt, struct dentry *entry)
{
	struct operation o;
	int r = operation_begin(&o, GRITH_OP_STAT);

	if (r <= 0)
		return r;
	if (!path_lookup(&o, mnt, entry, ONE_CLASS(READ)) || o.d->outcome.verdict != GRITH_HIDE)
		return operation_drop(&o);
	return path_finish(&o, entry, 0, SCRATCH_SPACE);
}

HOOK(inode_getattr, struct path *path)
{
	return look(path->mnt, path->dentry);
}

/* inotify, fanotify */
HOOK(path_notify, struct path *path, __u64 mask, unsigned int type)
{
	return look(path->mnt, path->dentry);
}

/* Without a mount, as above. What is in no file system at hand has no name that could be hidden. */
static __always_inline int look_at_entry(struct dentry *entry)
{
	struct vfsmount *mnt;

	if (!session_of_current())
		return 0;
	mnt = mount_at_hand(entry);
	return mnt ? look(mnt, entry) : 0;
}

HOOK(inode_getxattr, struct dentry *entry, const char *name)
{
	return look_at_entry(entry);
}

HOOK(inode_listxattr, struct dentry *entry)
{
	return look_at_entry(entry);
}

HOOK(inode_readlink, struct dentry *entry)
{
	return look_at_entry(entry);
}

HOOK(sb_statfs, struct dentry *entry)
{
	return look_at_entry(entry);
}
