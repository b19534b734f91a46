/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * The layers of overlays that a session has mounted. What a task does on such an overlay, the
 * kernel does on objects of its layers, with the mounter's credentials, and these may lie at home.
 * Opens and attributes come to their usual hooks (file.bpf.c, metadata.bpf.c); names in directories
 * come only to the hooks of the inodes. Each is decided by the object's name at home. An object
 * that has none there, as in the layers of a container that the session runs in, is none of ours.
 */
#include "hook.bpf.h"
#include "object.bpf.h"
#include "syscall.bpf.h"

/* Of all that mounts a file system, the last step before a task can reach it. */
HOOK(sb_set_mnt_opts, struct super_block *sb, void *options, unsigned long flags,
     unsigned long *ret_flags)
{
	__u64 id = session_of_current();
	struct grith_session *session;
	char type[8] = {};

	if (!id)
		return 0;
	bpf_probe_read_kernel(type, sizeof(type), sb->s_type->name);
	if (*(__u64 *)type != *(__u64 *)"overlay")
		return 0;
	session = bpf_map_lookup_elem(&sessions, &id);
	if (!session) /* as in operation_begin() */
		return -EACCES;
	__sync_fetch_and_or(&session->overlays,
			    sb->s_user_ns->level ? GRITH_OVERLAY_USER : GRITH_OVERLAY_ROOT);
	return 0;
}

/* While it is being mounted, an overlay makes and removes files in its work directory. */
static __always_inline bool is_mounting(struct task_struct *task)
{
	return is_compat(task) || is_mount_call(current_call(task));
}

/* An operation on a name in a directory of a layer, and on another one, or 0. */
static __noinline int layer_operation(enum grith_op op, __u64 entry, __u64 other,
				      enum grith_op_class op_class)
{
	struct task_struct *task = bpf_get_current_task_btf();
	bool mounting, found;
	struct operation o;
	__u32 second;
	int r;

	if (!session_of_current())
		return 0;
	mounting = is_mounting(task);
	if (task->cred == task->real_cred && !mounting)
		return 0;
	r = operation_begin(&o, op);
	if (r <= 0)
		return r;
	if (!mounting && !overlay_is_own(o.session))
		return operation_drop(&o);
	o.d->refusals_only = true;
	found = layer_lookup(&o, entry, op_class | op_class << 8);
	second = other ? o.d->at : SCRATCH_SPACE;
	if (other && layer_lookup(&o, other, op_class | op_class << 8))
		found = true;
	return found ? path_finish(&o, NULL, 0, second) : operation_drop(&o);
}

HOOK(inode_create, struct inode *directory, struct dentry *entry, umode_t mode)
{
	return layer_operation(GRITH_OP_CREATE, (__u64)entry, 0, GRITH_OP_CLASS_CREATE);
}

HOOK(inode_mkdir, struct inode *directory, struct dentry *entry, umode_t mode)
{
	return layer_operation(GRITH_OP_CREATE, (__u64)entry, 0, GRITH_OP_CLASS_CREATE);
}

HOOK(inode_mknod, struct inode *directory, struct dentry *entry, umode_t mode, unsigned int device)
{
	return layer_operation(GRITH_OP_CREATE, (__u64)entry, 0, GRITH_OP_CLASS_CREATE);
}

HOOK(inode_symlink, struct inode *directory, struct dentry *entry, const char *target)
{
	return layer_operation(GRITH_OP_CREATE, (__u64)entry, 0, GRITH_OP_CLASS_CREATE);
}

/* Named apart from the hook's other program, for message queues. */
static __always_inline int BPF_PROG(hook_layer_unlink, struct inode *directory,
				    struct dentry *entry)
{
	return layer_operation(GRITH_OP_DELETE, (__u64)entry, 0, GRITH_OP_CLASS_DELETE);
}

HOOK_PROGRAM("lsm/inode_unlink", lsm_layer_unlink, hook_layer_unlink, 2)
HOOK_PROGRAM("fmod_ret/security_inode_unlink", mod_layer_unlink, hook_layer_unlink, 2)

HOOK(inode_rmdir, struct inode *directory, struct dentry *entry)
{
	return layer_operation(GRITH_OP_DELETE, (__u64)entry, 0, GRITH_OP_CLASS_DELETE);
}

HOOK(inode_link, struct dentry *old, struct inode *directory, struct dentry *new)
{
	return layer_operation(GRITH_OP_LINK, (__u64) new, (__u64)old, GRITH_OP_CLASS_LINK);
}

static __always_inline int BPF_PROG(hook_inode_rename, struct inode *old_directory,
				    struct dentry *old, struct inode *new_directory,
				    struct dentry *new)
{
	return layer_operation(GRITH_OP_RENAME, (__u64) new, (__u64)old, GRITH_OP_CLASS_RENAME);
}

/* The function in front of the hook has flags, too. */
HOOK_PROGRAM("lsm/inode_rename", lsm_inode_rename, hook_inode_rename, 4)
HOOK_PROGRAM("fmod_ret/security_inode_rename", mod_inode_rename, hook_inode_rename, 5)

/*
 * Size, mode, owner, times. The entry is the last argument but one: until 6.8 there was none before
 * it. An earlier program that refuses ends the call, so that there is no result to pass on.
 */
static __always_inline int set_attributes(__u64 *ctx)
{
	__u64 entry = 0;

	bpf_get_func_arg(ctx, bpf_get_func_arg_cnt(ctx) - 2, &entry);
	return layer_operation(GRITH_OP_WRITE, entry, 0, GRITH_OP_CLASS_WRITE);
}

SEC("lsm/inode_setattr") int lsm_layer_setattr(__u64 *ctx)
{
	return set_attributes(ctx);
}

SEC("fmod_ret/security_inode_setattr") int mod_layer_setattr(__u64 *ctx)
{
	return set_attributes(ctx);
}
