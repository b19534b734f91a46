/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * What a session does to other processes: ptrace access, which /proc needs too (environment,
 * memory, descriptors), signals, limits and priorities. Within a session everything is allowed and
 * nothing recorded, but for programs under inspection. And what stops and resumes the processes of
 * a session. Asking (getpriority, getpgid, sched_getaffinity, prlimit without a new limit) tells
 * what `ps` shows to everybody, and is not decided.
 */
#include "hook.bpf.h"
#include "hold.bpf.h"
#include "inspect.bpf.h"
#include "process.bpf.h"

#define PTRACE_MODE_ATTACH 0x02
#define PTRACE_MODE_NOAUDIT 0x04

#define SIGCONT 18
#define SIGTSTP 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SEND_SIG_PRIV ((struct kernel_siginfo *)1) /* the kernel itself is the sender */

/* A check without audit only decides what a listing shows, and is made for every process there. */
HOOK(ptrace_access_check, struct task_struct *child, unsigned int mode)
{
	/* TOCTOU: until its arguments were inspected, no session may write to its memory. */
	if (mode & PTRACE_MODE_ATTACH && session_of_current() && is_under_inspection(child))
		return -EPERM;
	return process_operation(GRITH_OP_PTRACE_ACCESS, child, mode, mode & PTRACE_MODE_NOAUDIT);
}

/* By prlimit(); setrlimit() is for the own process. */
HOOK(task_setrlimit, struct task_struct *target, unsigned int resource, struct rlimit *limit)
{
	return process_operation(GRITH_OP_ADJUST, target, GRITH_ADJUST_LIMIT, false);
}

HOOK(task_setnice, struct task_struct *target, int nice)
{
	return process_operation(GRITH_OP_ADJUST, target, GRITH_ADJUST_NICE, false);
}

HOOK(task_setioprio, struct task_struct *target, int priority)
{
	return process_operation(GRITH_OP_ADJUST, target, GRITH_ADJUST_IO_PRIORITY, false);
}

/* Policy, priority, and the CPUs it may run on. */
HOOK(task_setscheduler, struct task_struct *target)
{
	return process_operation(GRITH_OP_ADJUST, target, GRITH_ADJUST_SCHEDULER, false);
}

/* Needs ptrace access as well. */
HOOK(task_movememory, struct task_struct *target)
{
	return process_operation(GRITH_OP_ADJUST, target, GRITH_ADJUST_MEMORY, false);
}

/* Fail closed: where a stop in its session could not be noted, each process counts as stopped. */
static __always_inline bool is_stopped_by_user(struct task_struct *target)
{
	__u64 id = session_of(target);
	const struct grith_session *session = bpf_map_lookup_elem(&sessions, &id);
	__u32 pid = target->tgid;

	return (session && session->stops_lost) || bpf_map_lookup_elem(&stopped_by_user, &pid);
}

/*
 * A process that its user has stopped is not resumed by an answer to a hold; and a program that
 * awaits inspection is resumed by grithd alone. Race: its user stops a process while grithd
 * answers. A stop that signal_generate has noted by now refuses grithd's SIGCONT, and the process
 * finds the answer when its user resumes it. One that comes between this check and the signal is
 * undone, as between any two senders of SIGSTOP and SIGCONT: then the process runs, and nothing
 * else is lost.
 */
static __always_inline int may_resume(struct task_struct *target)
{
	struct grith_hold_key key = { .pid = target->tgid };
	__u32 zero = 0, *grithd = bpf_map_lookup_elem(&daemon, &zero);

	if (grithd && *grithd == bpf_get_current_pid_tgid() >> 32)
		return is_stopped_by_user(target) ? -EBUSY : 0;
	return bpf_map_lookup_elem(&holds, &key) ? -EPERM : 0;
}

/* Signals of the kernel's own do not come here. */
HOOK(task_kill, struct task_struct *target, struct kernel_siginfo *info, int signal,
     const struct cred *credentials)
{
	int r = signal == SIGCONT ? may_resume(target) : 0;

	return r ? r : process_operation(GRITH_OP_SIGNAL, target, signal, false);
}

/* A program that awaits inspection has no children yet: they would run uninspected. */
HOOK(task_alloc, struct task_struct *task, unsigned long flags)
{
	if (!session_of_current() || !awaits_inspection())
		return 0;
	/* A fork that has not begun can be made again, as after any signal. */
	return bpf_send_signal_thread(SIGSTOP) ? -EPERM : -ERESTARTNOINTR;
}

static __always_inline bool is_stop(int signal)
{
	return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

/* Whether the signal does nothing by itself, because the process handles or ignores it. */
static __always_inline bool is_handled(struct task_struct *task, int signal)
{
	const void *actions = BPF_CORE_READ(task, sighand);
	void *handler = NULL;

	if (signal == SIGSTOP)
		return false;
	actions += bpf_core_field_offset(struct sighand_struct, action) +
		   (signal - 1) * bpf_core_type_size(struct k_sigaction) +
		   bpf_core_field_offset(struct k_sigaction, sa.sa_handler);
	bpf_probe_read_kernel(&handler, sizeof(handler), actions);
	return handler;
}

/* No entry of the session: it has ended, and there is nothing to resume. */
static __always_inline void note_stop(struct task_struct *task, __u64 id)
{
	struct grith_session *session;
	__u32 pid = task->tgid;
	__u8 one = 1;

	if (!bpf_map_update_elem(&stopped_by_user, &pid, &one, BPF_ANY))
		return;
	count(GRITH_COUNT_NO_STOP);
	session = bpf_map_lookup_elem(&sessions, &id);
	if (session)
		session->stops_lost = 1;
}

/* Stops by the user, see may_resume(). Our own stop comes as one of the kernel's. */
SEC("tp_btf/signal_generate")
int BPF_PROG(signal_generate, int signal, struct kernel_siginfo *info, struct task_struct *task,
	     int group, int result)
{
	__u32 pid = task->tgid;
	__u64 id;

	if (signal == SIGCONT) {
		bpf_map_delete_elem(&stopped_by_user, &pid);
	} else if (is_stop(signal) && !(signal == SIGSTOP && info == SEND_SIG_PRIV)) {
		id = session_of(task);
		if (id && !is_handled(task, signal))
			note_stop(task, id);
	}
	return 0;
}
