/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Signals that come from a file (F_SETOWN, F_SETOWN_EX, FIOSETOWN, SIOCSPGRP, leases, dnotify). A
 * task names a process or a group as the file's owner, and the kernel signals it when something
 * happens to the file: whoever does that, in an interrupt too. So it is noted which session has set
 * the owner, and such a signal to a process outside of it is one that the session sends.
 *
 * There is no scratch in an interrupt: what is refused here is counted and not recorded.
 */
#include "hook.bpf.h"
#include "begin.bpf.h"
#include "compat.bpf.h"
#include "lookup.bpf.h"

#define SIGKILL 9

/*
 * Key: address of the owner; value: the session that set it. No entry: a task outside did. An
 * entry outlives its file; then the owner that is next at that address has none until it is set,
 * and what sets it comes here. There are not more of them than there were open files with an owner.
 */
MAP(signal_owners, HASH, 65536, BPF_F_NO_PREALLOC, __u64, __u64);

/* Cannot refuse. Fail closed: whoever is not noted is killed. */
SEC("fentry/security_file_set_fowner")
int BPF_PROG(file_set_fowner, struct file *file)
{
	__u64 session = session_of_current(), owner = signal_owner_of(file);

	if (!session) {
		bpf_map_delete_elem(&signal_owners, &owner);
	} else if (bpf_map_update_elem(&signal_owners, &owner, &session, BPF_ANY)) {
		count(GRITH_COUNT_NO_OWNER);
		bpf_send_signal(SIGKILL);
	}
	return 0;
}

/* No session, or no image: it ended, or grithd does not know it. Fail closed. */
static __always_inline bool may_signal(__u64 id)
{
	const struct grith_session *session = bpf_map_lookup_elem(&sessions, &id);

	return session && (session->mode == GRITH_OBSERVE ||
			   FIXED_OUTCOME(session, signal).verdict == GRITH_ALLOW);
}

HOOK(file_send_sigiotask, struct task_struct *target, struct fown_struct *owner, int signal)
{
	__u64 key = (__u64)owner;
	const __u64 *session = bpf_map_lookup_elem(&signal_owners, &key);

	if (!session || session_of(target) == *session || may_signal(*session))
		return 0;
	count(GRITH_COUNT_SIGNAL_REFUSED);
	return -EPERM;
}
