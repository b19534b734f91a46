/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Hold and replay: an operation that waits for a decision. Its process is stopped and its system
 * call undone, so that the same call is made again once the process goes on; then the hook comes
 * here again and finds the answer, or holds again.
 *
 * Where that cannot be done without a trace, the operation is refused and grithd is told, so that
 * the next try can have an answer.
 */
#ifndef GRITH_HOLD_BPF_H
#define GRITH_HOLD_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

#include "compat.bpf.h"
#include "operation.bpf.h"
#include "syscall.bpf.h"

#define PF_EXITING 0x00000004

#define SIGKILL 9
#define SIGSTOP 19

/*
 * The calls that can be made a second time: the hook comes before anything has happened, and what
 * follows it in the kernel gives the error on as it is. Of an exec that is only so before the old
 * program is gone, and what it opens and maps comes after that.
 */
static __always_inline bool can_replay(const struct judgement *j, struct task_struct *task)
{
	int number = current_call(task);

	if (number < 0 || task->flags & PF_EXITING || is_compat(task))
		return false;
	switch (j->op) {
	case GRITH_OP_EXEC:
		return is_exec_call(number);
	case GRITH_OP_READ:
	case GRITH_OP_WRITE:
	case GRITH_OP_CREATE:
	case GRITH_OP_DELETE:
	case GRITH_OP_RENAME:
	case GRITH_OP_LINK:
	case GRITH_OP_TRUNCATE:
	case GRITH_OP_METADATA:
	case GRITH_OP_OPENDIR:
	case GRITH_OP_CONNECT:
	case GRITH_OP_BIND:
		return is_replayable_call(number);
	case GRITH_OP_SEND:
		return is_replayable_call(number) || is_write_call(number);
	default: /* the kernel makes another error of ours, or has begun already */
		return false;
	}
}

/* What is noted of an exec on its way. NULL: no room. */
static __always_inline struct exec_answers *exec_notes(__u32 pid)
{
	static const struct exec_answers none; /* not on the stack, which is short here */
	struct exec_answers *noted = bpf_map_lookup_elem(&exec_answers, &pid);

	if (noted)
		return noted;
	bpf_map_update_elem(&exec_answers, &pid, &none, BPF_NOEXIST);
	return bpf_map_lookup_elem(&exec_answers, &pid);
}

/* A script's arguments are to be judged: it is its interpreter that will be loaded. */
static __noinline int exec_want_judge(void)
{
	struct exec_answers *noted = exec_notes(bpf_get_current_pid_tgid() >> 32);

	if (noted)
		noted->judge = 1;
	return 0;
}

/*
 * An exec comes here for a script and once more for its interpreter, and all over again if the
 * second is held. So its answers are used up when it has happened: here they are noted.
 */
static __noinline int exec_note(__u64 object, __u32 review)
{
	__u32 pid = bpf_get_current_pid_tgid() >> 32;
	struct exec_answers *noted = exec_notes(pid);
	int i;

	if (!noted)
		return false;
	noted->review = review;
	for (i = 0; i < EXEC_ANSWERS; i++) {
		if (noted->objects[i] == object)
			return true;
		if (!noted->objects[i]) {
			noted->objects[i] = object;
			return true;
		}
	}
	return false;
}

/* What was noted on the way of an exec. */
static __always_inline void exec_apply_notes(struct judgement *j)
{
	__u32 pid = bpf_get_current_pid_tgid() >> 32;
	const struct exec_answers *noted = bpf_map_lookup_elem(&exec_answers, &pid);

	if (!noted)
		return;
	j->review = noted->review;
	if (noted->judge)
		j->outcome.flags |= GRITH_OUTCOME_INSPECT_ARGV;
}

/* The exec has happened, or never will: the answers that were noted on its way are used up. */
static __noinline int exec_forget_notes(__u64 session)
{
	struct grith_answer_key key = {
		.session = session,
		.pid = bpf_get_current_pid_tgid() >> 32,
	};
	const struct exec_answers *noted = bpf_map_lookup_elem(&exec_answers, &key.pid);
	int i;

	if (!noted)
		return 0;
	for (i = 0; i < EXEC_ANSWERS; i++) {
		key.object = noted->objects[i];
		if (key.object)
			bpf_map_delete_elem(&answers, &key);
	}
	bpf_map_delete_elem(&exec_answers, &key.pid);
	return 0;
}

/* The answer, used up where it is for one operation. false: none that is good. */
static __always_inline bool take_answer(struct judgement *j, struct grith_answer_key *key,
					struct grith_answer *ret_answer)
{
	struct grith_answer *found = bpf_map_lookup_elem(&answers, key);

	if (!found)
		return false;
	*ret_answer = *found;
	if (ret_answer->expires && ret_answer->expires < j->now) {
		bpf_map_delete_elem(&answers, key);
		return false;
	}
	if (!ret_answer->once)
		return true;
	if (j->op == GRITH_OP_EXEC)
		return exec_note(key->object, ret_answer->review);
	return !bpf_map_delete_elem(&answers, key); /* of two that come at once, one has it */
}

static __noinline int find_answer(struct judgement *j, __u32 pid, struct grith_answer *ret_answer)
{
	struct grith_answer_key key = {
		.session = j->session_id,
		.object = j->object,
		.pid = pid,
	};

	if (take_answer(j, &key, ret_answer))
		return true;
	key.pid = 0;
	return take_answer(j, &key, ret_answer);
}

static __always_inline int hold_refuse(struct judgement *j, __u32 counter)
{
	if (counter)
		count(counter);
	j->flags |= GRITH_RECORD_HOLD_REFUSED;
	return -EACCES;
}

/*
 * A debugger gets to know of the stop first and may keep it from its process, which then makes the
 * call again at once, for ever: so often, and it is refused.
 */
#define TRACED_TRIES 16

/*
 * Enters the hold. false: no room, or no use. The stop that follows is sent to the thread: one that
 * is pending for the whole process would let a second thread go back to its program with the
 * kernel's error.
 */
static __noinline int hold_enter(struct judgement *j, const struct grith_hold_key *key)
{
	struct grith_hold *old = bpf_map_lookup_elem(&holds, key), hold = {};

	if (old && old->object == j->object) {
		if (bpf_get_current_task_btf()->ptrace && old->tries++ >= TRACED_TRIES)
			return false;
		j->told = !old->resend;
		old->resend = 0;
		return true;
	}
	hold.session = j->session_id;
	hold.object = j->object;
	hold.time = j->now;
	hold.op = j->op;
	return !bpf_map_update_elem(&holds, key, &hold, BPF_ANY);
}

/* What the hook returns for an operation whose verdict is `hold`, j->object being known. */
static __noinline int hold_operation(struct judgement *j)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct grith_hold_key key = { .pid = task->tgid, .tid = task->pid };
	struct grith_answer answer = {};

	if (find_answer(j, key.pid, &answer)) {
		bpf_map_delete_elem(&holds, &key);
		j->flags |= GRITH_RECORD_ANSWERED;
		j->review = answer.review;
		j->outcome.verdict = answer.verdict;
		return answer.verdict == GRITH_ALLOW ? 0 : -EACCES;
	}
	if (!can_replay(j, task))
		return hold_refuse(j, 0);
	if (!hold_enter(j, &key)) {
		bpf_map_delete_elem(&holds, &key);
		return hold_refuse(j, GRITH_COUNT_NO_HOLD);
	}
	if (bpf_send_signal_thread(SIGSTOP)) {
		bpf_map_delete_elem(&holds, &key);
		return hold_refuse(j, GRITH_COUNT_NO_SIGNAL);
	}
	j->flags |= GRITH_RECORD_HELD;
	return -ERESTARTNOINTR;
}

/*
 * A program that was stopped before its first instruction does nothing until it was judged, even if
 * somebody continued it: task_kill refuses that to everybody but grithd, but the kernel itself
 * sends SIGCONT, too (on a terminal's end, to orphans, when a parent or a child ends, for
 * descriptors). Then each operation that it tries, and each fork, stops it again. What passes no
 * hook is its own affair, or goes to what it has open already.
 */
static __always_inline bool is_unjudged(void)
{
	struct grith_hold_key key = { .pid = bpf_get_current_pid_tgid() >> 32 };

	return bpf_map_lookup_elem(&holds, &key);
}

/* Waits for its arguments to be judged, or is on the way to: nobody may change it. */
static __always_inline bool is_to_be_judged(struct task_struct *target)
{
	struct grith_hold_key key = { .pid = target->tgid };
	const struct exec_answers *noted = bpf_map_lookup_elem(&exec_answers, &key.pid);

	return (noted && noted->judge) || bpf_map_lookup_elem(&holds, &key);
}

/* Somebody in a session is attached to the task as a debugger, and could make it do anything. */
static __always_inline bool is_traced_from_inside(struct task_struct *task)
{
	return task->ptrace && session_of(task->parent);
}

static __always_inline int stop_unjudged(struct judgement *j)
{
	j->outcome.verdict = GRITH_HOLD;
	if (!can_replay(j, bpf_get_current_task_btf()) || bpf_send_signal_thread(SIGSTOP))
		return hold_refuse(j, 0);
	j->told = true;
	return -ERESTARTNOINTR;
}

/*
 * Stops the program that was just loaded. What cannot be stopped must not run; nor what somebody
 * else shares the working directory of (CLONE_FS), with which relative arguments would change.
 */
static __always_inline void hold_program(struct judgement *j, struct grith_session *session)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct grith_hold_key key = { .pid = bpf_get_current_pid_tgid() >> 32 };
	struct grith_hold hold = {
		.session = j->session_id,
		.object = j->object,
		.time = j->now,
		.op = GRITH_OP_EXEC,
	};

	session->has_inspected = 1;
	if (is_traced_from_inside(task) || task->fs->users != 1) {
		count(GRITH_COUNT_NO_SIGNAL);
	} else if (bpf_map_update_elem(&holds, &key, &hold, BPF_ANY)) {
		count(GRITH_COUNT_NO_HOLD);
	} else if (bpf_send_signal_thread(SIGSTOP)) {
		bpf_map_delete_elem(&holds, &key);
		count(GRITH_COUNT_NO_SIGNAL);
	} else {
		j->flags |= GRITH_RECORD_HELD | GRITH_RECORD_INSPECT_ARGV;
		return;
	}
	j->flags |= GRITH_RECORD_HOLD_REFUSED;
	bpf_send_signal(SIGKILL);
}

/* At the end of a thread: an answer that it did not come to use is nobody else's. */
static __noinline int hold_forget(__u32 pid, __u32 tid)
{
	struct grith_hold_key key = { .pid = pid, .tid = tid };
	const struct grith_hold *hold = bpf_map_lookup_elem(&holds, &key);
	struct grith_answer_key answer = { .pid = pid };

	if (!hold)
		return 0;
	answer.session = hold->session;
	answer.object = hold->object;
	bpf_map_delete_elem(&answers, &answer);
	bpf_map_delete_elem(&holds, &key);
	return 0;
}

#endif
