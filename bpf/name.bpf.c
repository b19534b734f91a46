/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Names: making, removing and changing entries of directories. All of these are decided before
 * anything happens; whether the file system then does it is not known here.
 */
#include "hook.bpf.h"
#include "detail.bpf.h"
#include "object.bpf.h"
#include "syscall.bpf.h"

char LICENSE[] SEC("license") = "Dual MPL/GPL";

/* An operation on an entry of a directory, which may not be there yet. */
static __always_inline int entry_operation(enum grith_op op, struct path *dir, struct dentry *entry,
					   __u32 classes, __u16 flags, __u64 detail)
{
	struct operation o;
	int r = operation_begin(&o, op);

	if (r <= 0)
		return r;
	o.flags = flags;
	o.detail = detail;
	return object_operation(&o, dir->mnt, entry, classes, 0);
}

/*
 * A file that an open is about to make will be opened for writing by the same call: what is to be
 * held for that has to be held here, since afterwards the call cannot be made again.
 */
static __always_inline __u32 created_classes(void)
{
	return is_open_call(current_call(bpf_get_current_task_btf()))
		       ? CLASS_PAIR(GRITH_OP_CLASS_CREATE, GRITH_OP_CLASS_WRITE)
		       : CLASS_ONE(GRITH_OP_CLASS_CREATE);
}

/* Binding a unix socket to a path makes a file: that is where the path is known. */
HOOK(path_mknod, struct path *dir, struct dentry *entry, umode_t mode, unsigned int dev, int ret)
{
	if (ret)
		return ret;
	if ((mode & S_IFMT) == S_IFSOCK)
		return entry_operation(GRITH_OP_BIND, dir, entry, CLASS_ONE(GRITH_OP_CLASS_BIND),
				       GRITH_RECORD_UNIX, mode);
	return entry_operation(GRITH_OP_CREATE, dir, entry, created_classes(), 0,
			       (__u64)dev << 32 | mode);
}

HOOK(path_mkdir, struct path *dir, struct dentry *entry, umode_t mode, int ret)
{
	if (ret)
		return ret;
	return entry_operation(GRITH_OP_CREATE, dir, entry, CLASS_ONE(GRITH_OP_CLASS_CREATE),
			       GRITH_RECORD_DIRECTORY, mode);
}

HOOK(path_symlink, struct path *dir, struct dentry *entry, const char *target, int ret)
{
	struct operation o;
	int r;

	if (ret)
		return ret;
	r = operation_begin(&o, GRITH_OP_CREATE);
	if (r <= 0)
		return r;
	o.way = WAY_SYMLINK;
	detail_string(&o, target);
	return object_operation(&o, dir->mnt, entry, CLASS_ONE(GRITH_OP_CLASS_CREATE), 0);
}

HOOK(path_unlink, struct path *dir, struct dentry *entry, int ret)
{
	if (ret)
		return ret;
	return entry_operation(GRITH_OP_DELETE, dir, entry, CLASS_ONE(GRITH_OP_CLASS_DELETE), 0, 0);
}

HOOK(path_rmdir, struct path *dir, struct dentry *entry, int ret)
{
	if (ret)
		return ret;
	return entry_operation(GRITH_OP_DELETE, dir, entry, CLASS_ONE(GRITH_OP_CLASS_DELETE),
			       GRITH_RECORD_DIRECTORY, 0);
}

/* Both names are judged, in both directions alike, so that an exchange is covered. */
HOOK(path_rename, struct path *old_dir, struct dentry *old, struct path *new_dir,
     struct dentry *new, unsigned int flags, int ret)
{
	struct operation o;
	int r;

	if (ret)
		return ret;
	r = operation_begin(&o, GRITH_OP_RENAME);
	if (r <= 0)
		return r;
	o.detail = flags;
	return object_operation_pair(&o, old_dir->mnt, old, new_dir->mnt, new,
				     CLASS_ONE(GRITH_OP_CLASS_RENAME));
}

/* A link cannot leave its mount, so that the old name is on the new one's. */
HOOK(path_link, struct dentry *old, struct path *new_dir, struct dentry *new, int ret)
{
	struct operation o;
	int r;

	if (ret)
		return ret;
	r = operation_begin(&o, GRITH_OP_LINK);
	if (r <= 0)
		return r;
	return object_operation_pair(&o, new_dir->mnt, old, new_dir->mnt, new,
				     CLASS_ONE(GRITH_OP_CLASS_LINK));
}
