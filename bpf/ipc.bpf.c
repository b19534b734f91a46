/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * System V shared memory, semaphores and message queues, and what POSIX message queues need beside
 * an open: these are objects with a key or a name that any program of the same user can reach. The
 * session's own are allowed and not recorded.
 */
#include "hook.bpf.h"
#include "ipc.bpf.h"

/* --- whose they are */

#define NOTE_IPC(made, freed)                                                       \
	SEC("fexit/" #made) int BPF_PROG(made, struct kern_ipc_perm *perm, int ret) \
	{                                                                           \
		if (!ret)                                                           \
			own_note(perm);                                             \
		return 0;                                                           \
	}                                                                           \
	SEC("fentry/" #freed) int BPF_PROG(freed, struct kern_ipc_perm *perm)       \
	{                                                                           \
		own_forget(perm);                                                   \
		return 0;                                                           \
	}

NOTE_IPC(security_shm_alloc, security_shm_free)
NOTE_IPC(security_sem_alloc, security_sem_free)
NOTE_IPC(security_msg_queue_alloc, security_msg_queue_free)

/* A kernel without POSIX message queues has neither. */
SEC("?fexit/mqueue_create_attr")
int BPF_PROG(mqueue_create_attr, struct dentry *entry, umode_t mode, void *argument, int ret)
{
	if (!ret)
		own_note(entry->d_inode);
	return 0;
}

SEC("?fentry/mqueue_evict_inode")
int BPF_PROG(mqueue_evict_inode, struct inode *inode)
{
	own_forget(inode);
	return 0;
}

/* --- what is done to them */

/* "sysv-ipc:0x0012d687": the key as ipcs(1) shows it. */
static __noinline int ipc_name(struct scratch *scratch, __u32 key)
{
	char name[] = "sysv-ipc:0x00000000";
	int i, at = sizeof(name) - 2;

	for (i = 0; i < 8; i++, key >>= 4)
		name[at - i] = (key & 15) + ((key & 15) < 10 ? '0' : 'a' - 10);
	return text_prepend(scratch, SCRATCH_SPACE, name, sizeof(name) - 1);
}

static __noinline int ipc_operation(struct kern_ipc_perm *perm)
{
	struct operation o;
	int r, at;

	if (!perm || is_own(perm, session_of_current())) /* NULL: limits of the system */
		return 0;
	r = operation_begin(&o, GRITH_OP_IPC);
	if (r <= 0)
		return r;
	o.d->outcome = FIXED_OUTCOME(o.session, ipc);
	o.d->request.path.value = (__u32)perm->id;
	at = ipc_name(o.scratch, perm->key);
	if (at >= 0)
		o.d->at = at;
	return path_finish(&o, NULL, 0, SCRATCH_SPACE);
}

/* Attaching, sending, receiving, waiting, looking, and getting the number of one by its key. */
HOOK(ipc_permission, struct kern_ipc_perm *perm, short flag)
{
	return session_of_current() ? ipc_operation(perm) : 0;
}

/* What their owner may do to them is not asked above: removing, changing, locking. */
HOOK(shm_shmctl, struct kern_ipc_perm *perm, int command)
{
	return session_of_current() ? ipc_operation(perm) : 0;
}

HOOK(sem_semctl, struct kern_ipc_perm *perm, int command)
{
	return session_of_current() ? ipc_operation(perm) : 0;
}

HOOK(msg_queue_msgctl, struct kern_ipc_perm *perm, int command)
{
	return session_of_current() ? ipc_operation(perm) : 0;
}

/* mq_unlink() has no path for the hook of other files. */
HOOK(inode_unlink, struct inode *dir, struct dentry *entry)
{
	struct operation o;
	int r;

	if (!session_of_current() || !is_message_queue(dir) ||
	    is_own(entry->d_inode, session_of_current()))
		return 0;
	r = operation_begin(&o, GRITH_OP_IPC);
	if (r <= 0)
		return r;
	o.d->outcome = FIXED_OUTCOME(o.session, ipc);
	r = text_prepend_marked(o.scratch, SCRATCH_SPACE, '/', entry->d_name.name,
				entry->d_name.len);
	r = r < 0 ? r : path_prepend_type(o.scratch, r, dir->i_sb);
	if (r >= 0)
		o.d->at = r;
	return path_finish(&o, entry, 0, SCRATCH_SPACE);
}
