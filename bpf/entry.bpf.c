/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Entries of directories: making, removing, renaming, linking. All of these are decided before
 * anything happens; whether the file system then does it is not known here.
 */
#include "hook.bpf.h"
#include "hash.bpf.h"
#include "move.bpf.h"
#include "syscall.bpf.h"

/*
 * A file that an open is about to make may be opened for writing by the same call: what is to be
 * held for that has to be held here, since afterwards the call cannot be made again.
 */
static __always_inline __u32 created_classes(void)
{
	return is_open_call(current_call(bpf_get_current_task_btf())) ? TWO_CLASSES(CREATE, WRITE)
								      : ONE_CLASS(CREATE);
}

/* A way to a disk, or to the machine's memory. An overlay's whiteout is none: it has number 0. */
static __always_inline bool is_device(umode_t mode, unsigned int dev)
{
	__u32 type = mode & S_IFMT;

	return type == S_IFBLK || (type == S_IFCHR && dev);
}

/* Binding a unix socket to a path makes a file: that is where the path is known. */
HOOK(path_mknod, struct path *dir, struct dentry *entry, umode_t mode, unsigned int dev)
{
	struct operation o;
	int r;

	if ((mode & S_IFMT) == S_IFSOCK)
		return path_request(GRITH_OP_BIND, dir->mnt, entry, ONE_CLASS(BIND),
				    GRITH_RECORD_UNIX, VARIANT_NONE, mode);
	r = operation_begin(&o, GRITH_OP_CREATE);
	if (r <= 0)
		return r;
	o.d->request.path.value = (__u64)dev << 32 | mode;
	if (!path_lookup(&o, dir->mnt, entry, created_classes()))
		return operation_drop(&o);
	if (is_device(mode, dev))
		outcome_add(&o, FIXED_OUTCOME(o.session, kernel));
	return path_finish(&o, entry, 0, SCRATCH_SPACE);
}

HOOK(path_mkdir, struct path *dir, struct dentry *entry, umode_t mode)
{
	return path_request(GRITH_OP_CREATE, dir->mnt, entry, ONE_CLASS(CREATE),
			    GRITH_RECORD_DIRECTORY, VARIANT_NONE, mode);
}

HOOK(path_symlink, struct path *dir, struct dentry *entry, const char *target)
{
	struct operation o;
	int r = operation_begin(&o, GRITH_OP_CREATE);

	if (r <= 0)
		return r;
	o.d->request.path.variant = CREATE_SYMLINK;
	request_add_string(&o, target);
	return path_operation(&o, dir->mnt, entry, ONE_CLASS(CREATE), 0);
}

HOOK(path_unlink, struct path *dir, struct dentry *entry)
{
	return path_request(GRITH_OP_DELETE, dir->mnt, entry, ONE_CLASS(DELETE), 0, VARIANT_NONE,
			    0);
}

HOOK(path_rmdir, struct path *dir, struct dentry *entry)
{
	return path_request(GRITH_OP_DELETE, dir->mnt, entry, ONE_CLASS(DELETE),
			    GRITH_RECORD_DIRECTORY, VARIANT_NONE, 0);
}

/*
 * Which object it is, whatever its name: an inode number may be reused, its generation tells the
 * two apart. 0: nothing is there.
 */
static __always_inline __u64 object_identity(struct dentry *entry)
{
	struct inode *inode = entry->d_inode;

	return inode ? inode->i_ino * GOLDEN_RATIO + inode->i_generation : 0;
}

/*
 * Both names are looked up for the same op class, and both objects of an exchange compared. TOCTOU:
 * another thread puts another file in the place of the old name between a hold and its answer, for
 * which grithd may have looked into the file. So the answer is for the very file.
 */
HOOK(path_rename, struct path *old_dir, struct dentry *old, struct path *new_dir,
     struct dentry *new, unsigned int flags)
{
	struct operation o;
	int r = operation_begin(&o, GRITH_OP_RENAME);

	if (r <= 0)
		return r;
	o.d->request.path.value = object_identity(old) << RENAME_BITS | flags;
	return path_operation_pair(&o, old_dir->mnt, old, new_dir->mnt, new, false);
}

/* A link cannot leave its mount, so that the old name is on the new one's. */
HOOK(path_link, struct dentry *old, struct path *new_dir, struct dentry *new)
{
	struct operation o;
	int r = operation_begin(&o, GRITH_OP_LINK);

	if (r <= 0)
		return r;
	return path_operation_pair(&o, new_dir->mnt, old, new_dir->mnt, new, true);
}
