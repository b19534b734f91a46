/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Home: the mount namespace that a session started in. A task can make namespaces with mounts of
 * its own and so rename the world; an object's name at home it cannot change, because no mount of
 * home is changed by a supervised task (mount.bpf.c). home.bpf.c finds it.
 */
#pragma once

#include "name.bpf.h"

/* Answers the query in this scratch. */
extern int home_name(__u32 scratch_key);

static __always_inline struct home_query *home_ask(struct scratch *scratch, __u32 scratch_key,
						   const struct grith_session *session, __u64 entry,
						   __u64 mnt, __u32 end, int view)
{
	struct home_query *q = &scratch->query;

	q->home = session->home;
	q->home_root = session->home_root;
	q->entry = entry;
	q->mnt = mnt;
	q->end = end;
	q->view = view;
	home_name(scratch_key);
	return q;
}

/*
 * Takes the running task's namespace for home, if the session has none yet. The first operation is
 * one of the process that was placed, before it has run anything: its namespace is the one that it
 * was placed from. Race: two threads of it, in the same one.
 */
static __noinline __u64 home_begin(struct grith_session *session)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct mnt_namespace *ns = task->nsproxy->mnt_ns;

	session->home_root = (__u64)ns->root;
	__sync_val_compare_and_swap(&session->home, 0, mount_namespace_id(ns));
	return session->home;
}

static __always_inline bool is_at_home(const struct grith_session *session)
{
	struct task_struct *task = bpf_get_current_task_btf();

	return mount_namespace_id(task->nsproxy->mnt_ns) == session->home;
}

/*
 * Whether the kernel works in the layers of an overlay that this session has mounted: it does so
 * with the credentials of its mounter. In a user namespace nobody else mounts one for a session;
 * with root's credentials it may as well be one of the system, so that after a session has mounted
 * one as root all of them count.
 */
static __always_inline bool overlay_is_own(const struct grith_session *session)
{
	struct task_struct *task = bpf_get_current_task_btf();

	if (!session->overlays || task->cred == task->real_cred)
		return false;
	return session->overlays &
	       (task->cred->user_ns->level ? GRITH_OVERLAY_USER : GRITH_OVERLAY_ROOT);
}
