/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * What is known about files: mode, owner, extended attributes, and whether they are there at all.
 */
#include "hook.bpf.h"
#include "hash.bpf.h"
#include "object.bpf.h"

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
 * The kernel's own doing, in an overlay's layer and with the credentials of its mounter. A ring can
 * take other credentials too, and is no excuse.
 */
static __always_inline bool is_for_overlay(struct task_struct *task)
{
	return task->cred != task->real_cred && !is_uring(task);
}

/*
 * The hooks for extended attributes have no mount: the object goes by its name at home. `size` 0:
 * the value does not matter, or there is none.
 */
static __always_inline int attribute_operation(struct dentry *entry, enum variant variant,
					       const char *name, const void *value, __u32 size)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct operation o;
	int r = operation_begin(&o, GRITH_OP_METADATA);

	if (r <= 0)
		return r;
	o.d->request.path.variant = variant;
	request_add_string(&o, name);
	if (size)
		request_add_bytes(&o, value, size);
	if (is_for_overlay(task)) {
		if (!overlay_is_own(o.session) ||
		    !layer_lookup(&o, (__u64)entry, ONE_CLASS(METADATA)))
			return operation_drop(&o);
		return path_finish(&o, entry, 0, SCRATCH_SPACE);
	}
	return path_operation(&o, NULL, entry, ONE_CLASS(METADATA), 0);
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

#define ATTR_MODE 0x1
#define ATTR_UID 0x2
#define ATTR_GID 0x4
#define ATTR_SIZE 0x8
#define ATTR_ATIME 0x10
#define ATTR_MTIME 0x20

/*
 * Times alone (utimensat, utime): mode, owner and size come through hooks with a path. Which times
 * is no part of the request. As a function before the hook for both attachments: the hook itself
 * has another argument since 6.9.
 */
SEC("fmod_ret/security_inode_setattr")
int BPF_PROG(inode_setattr, void *idmap, struct dentry *entry, struct iattr *change, int refused)
{
	__u32 what = change->ia_valid;

	if (refused || !(what & (ATTR_ATIME | ATTR_MTIME)) ||
	    what & (ATTR_MODE | ATTR_UID | ATTR_GID | ATTR_SIZE))
		return refused;
	return attribute_operation(entry, CHANGE_TIMES, "", NULL, 0);
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

/* Without a mount, and not the kernel's own doing in an overlay's layer, as above. */
static __always_inline int look_at_entry(struct dentry *entry)
{
	return is_for_overlay(bpf_get_current_task_btf()) ? 0 : look(NULL, entry);
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
