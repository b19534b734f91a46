/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * What is known about files: mode, owner, extended attributes, and whether they are there at all.
 */
#include "hook.bpf.h"
#include <bpf/bpf_core_read.h>
#include "detail.bpf.h"
#include "object.bpf.h"

char LICENSE[] SEC("license") = "Dual MPL/GPL";

HOOK(path_chmod, struct path *path, umode_t mode, int ret)
{
	struct operation o;
	int r;

	if (ret)
		return ret;
	r = operation_begin(&o, GRITH_OP_METADATA);
	if (r <= 0)
		return r;
	o.way = WAY_MODE;
	o.detail = mode;
	return object_operation(&o, path->mnt, path->dentry, CLASS_ONE(GRITH_OP_CLASS_METADATA), 0);
}

HOOK(path_chown, struct path *path, unsigned int uid, unsigned int gid, int ret)
{
	struct operation o;
	int r;

	if (ret)
		return ret;
	r = operation_begin(&o, GRITH_OP_METADATA);
	if (r <= 0)
		return r;
	o.way = WAY_OWNER;
	o.detail = (__u64)uid << 32 | gid;
	return object_operation(&o, path->mnt, path->dentry, CLASS_ONE(GRITH_OP_CLASS_METADATA), 0);
}

/*
 * The hooks for extended attributes have no mount, so that the object's name is not known, only
 * where it is in its file system. What is judged is the name it has in a mount of that file system
 * in which the task itself stands: its working directory's, else its root's. That is a true name
 * of the object, and one that the task could have used. In any other file system it is unknown.
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
static __always_inline int attribute_operation(struct dentry *entry, enum way way, const char *name,
					       const void *value, __u32 size)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct vfsmount *mnt;
	struct operation o;
	int r = operation_begin(&o, GRITH_OP_METADATA);

	if (r <= 0)
		return r;
	mnt = mount_at_hand(entry);
	/*
	 * The kernel's own doing, in an overlay's layer and with the credentials of who mounted it:
	 * not an operation. A ring can take other credentials too, and is no excuse.
	 */
	if (!mnt && task->cred != task->real_cred && !is_uring(task))
		return operation_drop(&o);
	o.way = way;
	detail_string(&o, name);
	if (size)
		detail_bytes(&o, value, size);
	return object_operation(&o, mnt, entry, CLASS_ONE(GRITH_OP_CLASS_METADATA), 0);
}

HOOK(inode_setxattr, void *idmap, struct dentry *entry, const char *name, const void *value,
     size_t size, int flags, int ret)
{
	__u64 at = 0;

	if (ret)
		return ret;
	bpf_get_func_arg(ctx, 3, &at); /* value: 6.1 lets nobody load a pointer to const void */
	return attribute_operation(entry, WAY_SET_ATTRIBUTE, name, (const void *)at, size);
}

HOOK(inode_removexattr, void *idmap, struct dentry *entry, const char *name, int ret)
{
	return ret ? ret : attribute_operation(entry, WAY_REMOVE_ATTRIBUTE, name, NULL, 0);
}

/* Since 6.2; before, access control lists come as any other attribute. */
OPTIONAL_HOOK(inode_set_acl, void *idmap, struct dentry *entry, const char *name,
	      struct posix_acl *acl, int ret)
{
	const void *entries = (const void *)acl + bpf_core_field_offset(*acl, a_entries);
	__u32 count = acl ? BPF_CORE_READ(acl, a_count) : 0;

	return ret ? ret
		   : attribute_operation(entry, WAY_SET_ATTRIBUTE, name, entries,
					 count * bpf_core_type_size(struct posix_acl_entry));
}

OPTIONAL_HOOK(inode_remove_acl, void *idmap, struct dentry *entry, const char *name, int ret)
{
	return ret ? ret : attribute_operation(entry, WAY_REMOVE_ATTRIBUTE, name, NULL, 0);
}

/* Only for hiding: everything else about a file may be known. */
HOOK(inode_getattr, struct path *path, int ret)
{
	struct operation o;
	int r;

	if (ret)
		return ret;
	r = operation_begin(&o, GRITH_OP_STAT);
	if (r <= 0)
		return r;
	if (!object_judge(&o, path->mnt, path->dentry, CLASS_ONE(GRITH_OP_CLASS_READ)) ||
	    o.outcome.verdict != GRITH_HIDE)
		return operation_drop(&o);
	return object_finish(&o, path->dentry, 0, SCRATCH_SPACE);
}
