/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * System calls by name and number, and which call the task is in: whether a hook runs inside a call
 * that can be made again after a hold.
 *
 * A call can be replayed if its hook comes before anything has happened, if what follows the hook
 * in the kernel passes the error on as it is, and if making it again means the same. Left out, and
 * so refused (fail closed; it becomes a review all the same, and the next try finds the answer):
 *
 *	io_uring_enter			the error goes into a completion and not to the task
 *	sendmmsg			an error after the first message is kept for the next call
 *	write, writev on files		some has been written; on sockets they are one message
 *	32-bit calls			other numbers, see can_replay()
 *	open_by_handle_at, ftruncate, *setxattr, *removexattr
 *					rarely held by a policy; nothing in them forbids it
 *	recvmsg, recvmmsg		a refused descriptor is left out, the call succeeds
 *	mmap, mprotect, socket, listen, ptrace, kill, io_uring_setup, ...
 *					other operations than those of can_replay()
 */
#pragma once

#include "compat.bpf.h"

#define NR_IO_URING_ENTER 426 /* on every architecture, for 32-bit calls too */
#define NO_CALL 0x7fffffff /* this architecture has no such call */

/* clang-format off */
/* X(name, x86-64, arm64) */
#define OPEN_CALLS(X) \
	X(open, 2, NO_CALL) X(creat, 85, NO_CALL) X(openat, 257, 56) X(openat2, 437, 437)
#define EXEC_CALLS(X) X(execve, 59, 221) X(execveat, 322, 281)
#define WRITE_CALLS(X) X(write, 1, 64) X(writev, 20, 66) /* on sockets */
#define CONNECT_CALLS(X) X(connect, 42, 203)
#define MOUNT_CALLS(X) X(mount, 165, 40) X(fsconfig, 431, 431)
#define REPLAYABLE_CALLS(X) OPEN_CALLS(X) CONNECT_CALLS(X) \
	X(bind, 49, 200) X(sendto, 44, 206) X(sendmsg, 46, 211) \
	X(rename, 82, NO_CALL) X(renameat, 264, 38) X(renameat2, 316, 276) \
	X(mkdir, 83, NO_CALL) X(mkdirat, 258, 34) X(mknod, 133, NO_CALL) X(mknodat, 259, 33) \
	X(rmdir, 84, NO_CALL) X(unlink, 87, NO_CALL) X(unlinkat, 263, 35) \
	X(link, 86, NO_CALL) X(linkat, 265, 37) X(symlink, 88, NO_CALL) X(symlinkat, 266, 36) \
	X(chmod, 90, NO_CALL) X(fchmod, 91, 52) X(fchmodat, 268, 53) X(fchmodat2, 452, 452) \
	X(chown, 92, NO_CALL) X(fchown, 93, 55) X(lchown, 94, NO_CALL) X(fchownat, 260, 54) \
	X(truncate, 76, 45)
/* clang-format on */

#if defined(__TARGET_ARCH_x86)
#define IS_CALL(name, x86, arm64) || number == (x86)
#else
#define IS_CALL(name, x86, arm64) || number == (arm64)
#endif

#define CALL_TEST(name, calls)                       \
	static __always_inline bool name(int number) \
	{                                            \
		return 0 calls(IS_CALL);             \
	}

CALL_TEST(is_open_call, OPEN_CALLS)
CALL_TEST(is_exec_call, EXEC_CALLS)
CALL_TEST(is_write_call, WRITE_CALLS)
CALL_TEST(is_connect_call, CONNECT_CALLS)
CALL_TEST(is_mount_call, MOUNT_CALLS)
CALL_TEST(is_replayable_call, REPLAYABLE_CALLS)

/* The system call the task is in, or was made in if it is a kernel worker of its process. */
static __always_inline int syscall_number(struct task_struct *task)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);

	return PT_REGS_SYSCALL_NR(regs);
}

/*
 * The call that the task itself is making; -1: none. The number in its registers is not enough: a
 * worker of a ring has a copy of the registers of the task that made it, whatever call that was in;
 * and what a ring left to be done is done by the task when it leaves another call, whose number
 * is still there. Taking either for an open would hold what cannot be replayed.
 */
static __always_inline int current_call(struct task_struct *task)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);

	if (task->flags & (PF_KTHREAD | PF_IO_WORKER | PF_USER_WORKER) || !PT_REGS_IN_CALL(regs))
		return -1;
	return PT_REGS_SYSCALL_NR(regs);
}
