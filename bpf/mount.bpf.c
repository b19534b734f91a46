/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Mounts and namespaces. No supervised task changes a mount of home: names there must stay what
 * they are (home.bpf.h). In namespaces of its own it may, where the policy lets it have namespaces;
 * the names of objects do not depend on that.
 *
 * Without a hook, and without need of one: open_tree() and fsmount() make mounts that are attached
 * nowhere, whose objects have their names at home all the same. mount_setattr() changes attributes
 * and propagation, and no name.
 */
#include "hook.bpf.h"
#include "object.bpf.h"

#define MS_REMOUNT 0x20
#define MS_BIND 0x1000
#define MS_PROPAGATION 0x1e0000 /* MS_UNBINDABLE, MS_PRIVATE, MS_SLAVE, MS_SHARED */

#define MNT_SHARED 0x1000

/*
 * Whether what happens on the mount happens on others, too. Those that a user namespace has copied
 * get what is mounted at home and give nothing back; but root can make a namespace whose mounts are
 * peers of home's.
 */
static __always_inline bool has_peers(struct mount *mount)
{
	void *own = (void *)mount + bpf_core_field_offset(struct mount, mnt_share);

	return BPF_CORE_READ(mount, mnt.mnt_flags) & MNT_SHARED && address_at(own) != own;
}

static __always_inline bool is_in_user_namespace(void)
{
	struct task_struct *task = bpf_get_current_task_btf();

	return task->nsproxy->mnt_ns->user_ns->level;
}

/* A name for the record; nothing is decided by it. */
static __always_inline void name_keep(struct operation *o, struct path *path)
{
	int at;

	path_name(o, path->mnt, path->dentry);
	at = *(volatile __u32 *)&o->scratch->at;
	if (at >= 0)
		o->d->at = at;
	else
		o->d->flags |= GRITH_RECORD_UNKNOWN;
}

/*
 * A change of the mounts at `target`, where what is at `source`, if there is such a thing, appears.
 * `changed`: the mount whose peers get the change, too.
 */
static __noinline int mount_change(struct path *target, struct path *source, struct mount *changed)
{
	struct operation o;
	__u32 second = SCRATCH_SPACE;
	int r = operation_begin(&o, GRITH_OP_MOUNT);

	if (r <= 0)
		return r;
	if (!o.session->home)
		home_begin(o.session);
	if (is_at_home(o.session) || (changed && !is_in_user_namespace() && has_peers(changed)))
		o.d->outcome = OUTCOME_DENY;
	else
		o.d->outcome = FIXED_OUTCOME(o.session, namespace);
	if (source) {
		name_keep(&o, source);
		second = o.d->at;
	}
	name_keep(&o, target);
	return path_finish(&o, target->dentry, 0, second);
}

static __always_inline struct mount *mount_of(struct vfsmount *mnt)
{
	return (void *)mnt - bpf_core_field_offset(struct mount, mnt);
}

/* A change of a mount's own properties reaches no other mount. */
HOOK(sb_mount, const char *device, struct path *path, const char *type, unsigned long flags,
     void *data)
{
	bool own = (flags & (MS_REMOUNT | MS_BIND)) == (MS_REMOUNT | MS_BIND) ||
		   (flags & MS_PROPAGATION && !(flags & (MS_REMOUNT | MS_BIND)));

	return mount_change(path, NULL, own ? NULL : mount_of(path->mnt));
}

HOOK(move_mount, struct path *from, struct path *to)
{
	return mount_change(to, from, mount_of(to->mnt));
}

HOOK(sb_pivotroot, struct path *old_root, struct path *new_root)
{
	return mount_change(old_root, new_root, NULL); /* refused by the kernel where shared */
}

/* It goes from where it is mounted. */
HOOK(sb_umount, struct vfsmount *mnt, int flags)
{
	struct mount *mount = mount_of(mnt);
	struct path path = { .mnt = mnt, .dentry = mnt->mnt_root };

	return mount_change(&path, NULL, BPF_CORE_READ(mount, mnt_parent));
}

/* Its options are the same for all mounts of the file system, home's included. */
HOOK(sb_remount, struct super_block *sb, void *options)
{
	struct operation o;
	struct home_query *q;
	int r = operation_begin(&o, GRITH_OP_MOUNT);

	if (r <= 0)
		return r;
	if (!o.session->home)
		home_begin(o.session);
	q = home_ask(o.scratch, o.d->scratch_key, o.session, (__u64)sb->s_root, 0, SCRATCH_SPACE,
		     0);
	o.d->outcome = q->made_inside ? FIXED_OUTCOME(o.session, namespace) : OUTCOME_DENY;
	if (q->result >= 0)
		o.d->at = q->result;
	else
		o.d->flags |= GRITH_RECORD_UNKNOWN;
	return path_finish(&o, sb->s_root, 0, SCRATCH_SPACE);
}

RENAMED_HOOK(userns_create, create_user_ns, const struct cred *credentials)
{
	struct operation o;
	int r = operation_begin(&o, GRITH_OP_NAMESPACE);

	if (r <= 0)
		return r;
	if (!o.session->home)
		home_begin(o.session);
	o.d->outcome = FIXED_OUTCOME(o.session, namespace);
	return path_finish(&o, NULL, 0, SCRATCH_SPACE);
}
