/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Inspection of arguments: a program whose rule has `judge: argv` is stopped when it is loaded,
 * before its first instruction, with its final argv readable; grithd scores that, and resumes or
 * kills it.
 *
 * TOCTOU between what is inspected and what runs, and how each opening is closed:
 * - execve()'s strings are the old program's memory: argv is read from the new program's, which no
 *   thread of the old one shares.
 * - Another process writes to that memory (ptrace, /proc/PID/mem, process_vm_writev): refused from
 *   bprm_check on, see ptrace_access_check. With a debugger attached already the exec is refused.
 * - A process that shares the working directory (CLONE_FS) changes what relative arguments mean:
 *   such a program is killed, see inspect_argv().
 * - A SIGCONT of another process is refused (task_kill). After one of the kernel's (at a terminal's
 *   end, to orphans, when a parent or child ends, for descriptors) each operation and each fork of
 *   the program stops it again, or is refused where it cannot be replayed (stop_again, task_alloc).
 *   Left are stat, reads of an open directory, and what is no operation: it stays within the
 *   program, or goes to what it has open.
 */
#pragma once

#include "hold.bpf.h"

/* A script's arguments are to be inspected, but its interpreter is loaded. false: no room. */
static __noinline int exec_note_inspection(void)
{
	struct exec_answers *noted = exec_notes(bpf_get_current_pid_tgid() >> 32);

	if (!noted)
		return false;
	noted->inspect = 1;
	return true;
}

/* What was noted of an exec. No notes: it needed neither answer nor inspection. */
static __always_inline void exec_apply_notes(struct decision *d)
{
	__u32 pid = bpf_get_current_pid_tgid() >> 32;
	const struct exec_answers *noted = bpf_map_lookup_elem(&exec_answers, &pid);

	if (!noted)
		return;
	d->review = noted->review;
	if (noted->inspect)
		d->outcome.flags |= GRITH_OUTCOME_INSPECT_ARGV;
}

/* Whether the running program was stopped for inspection and has no answer yet. */
static __always_inline bool awaits_inspection(void)
{
	struct grith_hold_key key = { .pid = bpf_get_current_pid_tgid() >> 32 };

	return bpf_map_lookup_elem(&holds, &key);
}

/* Another program that awaits inspection or will: its memory must stay as it is. */
static __always_inline bool is_under_inspection(struct task_struct *target)
{
	struct grith_hold_key key = { .pid = target->tgid };
	const struct exec_answers *noted = bpf_map_lookup_elem(&exec_answers, &key.pid);

	return (noted && noted->inspect) || bpf_map_lookup_elem(&holds, &key);
}

/* A debugger from a session is attached to the task, and could make it do anything. */
static __always_inline bool is_traced_from_inside(struct task_struct *task)
{
	return task->ptrace && session_of(task->parent);
}

/* The program runs although it awaits inspection: its operation is undone and it stops again. */
static __always_inline int stop_again(struct decision *d)
{
	d->outcome.verdict = GRITH_HOLD;
	if (!can_replay(d, bpf_get_current_task_btf()) || bpf_send_signal_thread(SIGSTOP))
		return hold_refuse(d, 0);
	d->recorded = true;
	return -ERESTARTNOINTR;
}

/* Stops the program that was just loaded. Fail closed: what cannot be stopped is killed. */
static __always_inline void inspect_argv(struct decision *d, struct grith_session *session)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct grith_hold_key key = { .pid = bpf_get_current_pid_tgid() >> 32 };
	struct grith_hold hold = {
		.session = d->session_id,
		.object = d->object,
		.time = d->now,
		.op = GRITH_OP_EXEC,
	};

	session->has_inspected =
		1; /* before the hold: awaits_inspection() is looked at only then */
	if (is_traced_from_inside(task) || task->fs->users != 1) {
		count(GRITH_COUNT_NO_SIGNAL);
	} else if (bpf_map_update_elem(&holds, &key, &hold, BPF_ANY)) {
		count(GRITH_COUNT_NO_HOLD);
	} else if (bpf_send_signal_thread(SIGSTOP)) {
		bpf_map_delete_elem(&holds, &key);
		count(GRITH_COUNT_NO_SIGNAL);
	} else {
		d->flags |= GRITH_RECORD_HELD | GRITH_RECORD_INSPECT_ARGV;
		return;
	}
	d->flags |= GRITH_RECORD_HOLD_REFUSED;
	bpf_send_signal(SIGKILL);
}
