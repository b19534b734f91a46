/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Hold and replay: an operation that waits for a decision. Its process is stopped and its system
 * call undone, so that the same call is made again once the process is resumed; then the hook comes
 * here again and finds the answer, or holds again.
 *
 * Where that cannot be done without a trace, the operation is refused; its record asks all the
 * same, so that the next try can have an answer.
 *
 * Race between the answer and the stop: grithd may answer, and resume, before the signal that is
 * pending here has stopped the process. The hold is entered before the record is sent, and grithd
 * enters the answer before it sends SIGCONT: whatever the order, the call is made again and finds
 * it. A SIGCONT from anybody else only leads to another try, which holds again.
 */
#pragma once

#include "begin.bpf.h"
#include "syscall.bpf.h"

#define PF_EXITING 0x00000004

#define SIGKILL 9
#define SIGSTOP 19

/*
 * The calls that can be made a second time, see syscall.bpf.h. Of an exec that is only so before
 * the old program is gone, and what it opens and maps comes after that.
 */
static __always_inline bool can_replay(const struct decision *d, struct task_struct *task)
{
	int number = current_call(task);

	if (number < 0 || task->flags & PF_EXITING || is_compat(task))
		return false;
	switch (d->op) {
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
	case GRITH_OP_TERMINAL:
		return is_open_call(number);
	case GRITH_OP_SEND:
		return is_replayable_call(number) || is_write_call(number);
	default: /* see syscall.bpf.h: left out there, or something has happened already */
		return false;
	}
}

/* --- notes of an exec until it has happened: its answers, and whether argv is to be inspected */

/* NULL: no room, the exec is refused (fail closed). */
static __always_inline struct exec_answers *exec_notes(__u32 pid)
{
	static const struct exec_answers none; /* not on the stack, which is short here */
	struct exec_answers *noted = bpf_map_lookup_elem(&exec_answers, &pid);

	if (noted)
		return noted;
	bpf_map_update_elem(&exec_answers, &pid, &none, BPF_NOEXIST);
	noted = bpf_map_lookup_elem(&exec_answers, &pid);
	if (!noted)
		count(GRITH_COUNT_NO_NOTES);
	return noted;
}

/*
 * An exec comes here for a script and once more for its interpreter, and all over again if the
 * second is held. So its answers are used up only when it has happened: here they are noted.
 */
static __noinline int exec_note_answer(__u64 object, __u32 review)
{
	struct exec_answers *noted = exec_notes(bpf_get_current_pid_tgid() >> 32);
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
	return false; /* no room for one more script: fail closed */
}

/* The exec has happened, or never will: the answers that were noted are used up. */
static __noinline int exec_drop_notes(__u64 session)
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

/* --- answers */

/*
 * The answer, used up where it is for one operation (of an exec: noted). Race: two threads find the
 * same one; to the one whose delete succeeds it belongs. An exec whose answer cannot be noted is
 * refused: it would be held for ever. false: none that is good, the operation stays held.
 */
static __always_inline bool take_answer(struct decision *d, struct grith_answer_key *key,
					struct grith_answer *ret_answer)
{
	struct grith_answer *found = bpf_map_lookup_elem(&answers, key);

	if (!found)
		return false;
	*ret_answer = *found;
	if (ret_answer->expires && ret_answer->expires < d->now) {
		bpf_map_delete_elem(&answers, key);
		return false;
	}
	if (!ret_answer->once)
		return true;
	if (d->op == GRITH_OP_EXEC) {
		if (!exec_note_answer(key->object, ret_answer->review))
			ret_answer->verdict = GRITH_DENY;
		return true;
	}
	return !bpf_map_delete_elem(&answers, key);
}

/* First one for this process, then one for the whole session. */
static __noinline int find_answer(struct decision *d, __u32 pid, struct grith_answer *ret_answer)
{
	struct grith_answer_key key = {
		.session = d->session_id,
		.object = d->object,
		.pid = pid,
	};

	if (take_answer(d, &key, ret_answer))
		return true;
	key.pid = 0;
	return take_answer(d, &key, ret_answer);
}

/* --- holds */

static __always_inline int hold_refuse(struct decision *d, __u32 counter)
{
	if (counter)
		count(counter);
	d->flags |= GRITH_RECORD_HOLD_REFUSED;
	return -EACCES;
}

/*
 * A debugger gets the stop first and may keep it from its process, which then makes the call again
 * at once, for ever: after so many tries it is refused (fail closed).
 */
#define TRACED_TRIES 16

/*
 * Enters the hold, or finds the one of an earlier try. false: no room, or TRACED_TRIES are used up.
 */
static __noinline int hold_enter(struct decision *d, const struct grith_hold_key *key)
{
	struct grith_hold *old = bpf_map_lookup_elem(&holds, key), hold = {};

	if (old && old->object == d->object) {
		if (bpf_get_current_task_btf()->ptrace && old->tries++ >= TRACED_TRIES)
			return false;
		d->recorded = !old->resend;
		old->resend = 0;
		return true;
	}
	hold.session = d->session_id;
	hold.object = d->object;
	hold.time = d->now;
	hold.op = d->op;
	return !bpf_map_update_elem(&holds, key, &hold, BPF_ANY);
}

/*
 * What the hook returns for an operation whose verdict is `hold`, d->object being known. The stop
 * is sent to the thread: were it pending for the whole process, another thread could take it, and
 * this one would return to its program with the kernel's own error. Without the signal the call
 * would not be made again: refused.
 */
static __noinline int hold_operation(struct decision *d)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct grith_hold_key key = { .pid = task->tgid, .tid = task->pid };
	struct grith_answer answer = {};

	if (find_answer(d, key.pid, &answer)) {
		bpf_map_delete_elem(&holds, &key);
		d->flags |= GRITH_RECORD_ANSWERED;
		d->review = answer.review;
		d->outcome.verdict = answer.verdict;
		return answer.verdict == GRITH_ALLOW ? 0 : -EACCES;
	}
	if (!can_replay(d, task))
		return hold_refuse(d, 0);
	if (!hold_enter(d, &key)) {
		bpf_map_delete_elem(&holds, &key);
		return hold_refuse(d, GRITH_COUNT_NO_HOLD);
	}
	if (bpf_send_signal_thread(SIGSTOP)) {
		bpf_map_delete_elem(&holds, &key);
		return hold_refuse(d, GRITH_COUNT_NO_SIGNAL);
	}
	d->flags |= GRITH_RECORD_HELD;
	return -ERESTARTNOINTR;
}

/* At the end of a thread: an answer that it did not come to use is no other's. */
static __noinline int hold_drop(__u32 pid, __u32 tid)
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
