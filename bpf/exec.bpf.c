/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Programs: whether one may run, that it does, with its whole command line, and the end of its
 * process.
 *
 * A refusal is recorded where it happens, an allowed exec once it has happened: a script passes the
 * first hook twice, as itself and as its interpreter, and an exec can still fail after it.
 */
#include "hook.bpf.h"
#include "hold.bpf.h"
#include "object.bpf.h"
#include "origin.bpf.h"

char LICENSE[] SEC("license") = "Dual MPL/GPL";

#define ARGV_CHUNKS (GRITH_ARGV_MAX / GRITH_ARGV_CHUNK)

RENAMED_HOOK(bprm_check_security, bprm_check, struct linux_binprm *bprm, int ret)
{
	struct operation o;
	struct file *file;
	int r;

	if (ret)
		return ret;
	r = operation_begin(&o, GRITH_OP_EXEC);
	if (r <= 0)
		return r;
	file = bprm->file;
	if (!object_judge(&o, file->f_path.mnt, file->f_path.dentry,
			  CLASS_ONE(GRITH_OP_CLASS_EXEC)))
		return operation_drop(&o);
	if (o.outcome.flags & GRITH_OUTCOME_INSPECT_ARGV) {
		exec_want_judge();
		/* Nobody can attach to it from here on: see ptrace_access_check. */
		if (is_traced_from_inside(bpf_get_current_task_btf()))
			o.outcome.verdict = GRITH_DENY;
	}
	o.refusals_only = true;
	return object_finish(&o, file->f_path.dentry, 0, SCRATCH_SPACE);
}

/* The command line as it lies in the new program's memory. */
struct argv {
	unsigned long at;
	__u32 total;
	__u32 sent;
};

/* What is left of it, for records of its own. */
struct argv_rest {
	struct argv argv;
	__u64 session_id;
	__u64 now;
	struct grith_session *session;
	struct scratch *scratch;
};

static __always_inline __u32 argv_next(const struct argv *a)
{
	__u32 left = a->total - a->sent;

	return left < GRITH_ARGV_CHUNK ? left : GRITH_ARGV_CHUNK;
}

/* Puts the next part at the end of the scratch. Its length; 0 where it cannot be read. */
static __always_inline __u32 argv_read(struct argv *a, struct scratch *scratch)
{
	__u32 length = argv_next(a), at = SCRATCH_SPACE - length;

	if (length > GRITH_ARGV_CHUNK || at >= SCRATCH_SPACE ||
	    bpf_probe_read_user(&scratch->data[at], length, (void *)(a->at + a->sent)))
		return 0;
	a->sent += length;
	return length;
}

static __always_inline __u16 argv_flags(const struct argv *a, __u32 length)
{
	if (!length && a->sent < a->total)
		return GRITH_RECORD_TRUNCATED;
	if (a->sent < a->total)
		return a->sent < GRITH_ARGV_MAX ? GRITH_RECORD_MORE : GRITH_RECORD_TRUNCATED;
	return 0;
}

static __noinline int argv_send(struct operation *o, enum grith_kind kind, __u32 total,
				__u32 path_length, __u32 argv_length)
{
	__u32 first = o->at;
	struct grith_exec_record *record = record_begin(o, kind, sizeof(*record));

	if (!record)
		return -1;
	record->argv_total = total;
	record->path_at = first - o->at;
	record->path_length = path_length;
	record->argv_at = first - o->at + path_length;
	record->argv_length = argv_length;
	record->pad = 0;
	if (kind == GRITH_KIND_EXEC)
		record->origin = o->scratch->origin;
	else
		__builtin_memset(&record->origin, 0, sizeof(record->origin));
	record_send(o, kind);
	return 0;
}

/* One record more; 1 after the last. */
static long argv_more(__u32 i, struct argv_rest *rest)
{
	struct operation o = {
		.session_id = rest->session_id,
		.now = rest->now,
		.session = rest->session,
		.scratch = rest->scratch,
		.op = GRITH_OP_EXEC,
	};
	struct argv *a = &rest->argv;
	__u32 length;

	if (a->sent >= a->total)
		return 1;
	length = argv_read(a, o.scratch);
	o.at = SCRATCH_SPACE - length;
	o.flags = argv_flags(a, length);
	argv_send(&o, GRITH_KIND_ARGV, a->total, 0, length);
	return !length;
}

static __noinline int argv_send_rest(const struct operation *o, const struct argv *a)
{
	struct argv_rest rest = {
		.argv = *a,
		.session_id = o->session_id,
		.now = o->now,
		.session = o->session,
		.scratch = o->scratch,
	};

	bpf_loop(ARGV_CHUNKS - 1, argv_more, &rest, 0);
	return 0;
}

/*
 * The exec has happened: whatever held it was answered, or only observed. Where the arguments are
 * to be judged the program waits for that, before its first instruction.
 */
static __noinline int exec_settle(struct operation *o)
{
	exec_apply_notes((struct judgement *)&o->session_id);
	if (o->session->mode == GRITH_OBSERVE) {
		if (o->outcome.verdict != GRITH_ALLOW)
			o->flags |= GRITH_RECORD_OBSERVED;
		return exec_forget_notes(o->session_id);
	}
	if (o->outcome.verdict != GRITH_ALLOW)
		o->flags |= GRITH_RECORD_ANSWERED;
	o->outcome.verdict = GRITH_ALLOW;
	if (o->outcome.flags & GRITH_OUTCOME_INSPECT_ARGV) {
		o->outcome.verdict = GRITH_HOLD;
		hold_program((struct judgement *)&o->session_id, o->session);
	}
	return exec_forget_notes(o->session_id);
}

/* The new program is loaded and has not run an instruction: it will see this command line. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(sched_process_exec, struct task_struct *task, int old_pid, struct linux_binprm *bprm)
{
	struct file *file = bprm->file;
	struct operation o;
	struct argv a = {};
	__u32 length;
	int r = operation_begin(&o, GRITH_OP_EXEC);

	/*
	 * bprm_check has just come through the same, so that this takes four programs that are all
	 * interrupted on this CPU between the two. What went wrong is counted.
	 */
	if (r < 0)
		bpf_send_signal(SIGKILL);
	if (r <= 0)
		return 0;
	a.at = task->mm->arg_start;
	a.total = task->mm->arg_end - a.at;
	length = forget(o.scratch, argv_read(&a, o.scratch));
	o.at = SCRATCH_SPACE - length;
	o.flags |= argv_flags(&a, length);
	object_judge(&o, file->f_path.mnt, file->f_path.dentry, CLASS_ONE(GRITH_OP_CLASS_EXEC));
	exec_settle(&o);
	origin_read(o.scratch); /* here: the fewest values are live, and the stack is full */
	argv_send(&o, GRITH_KIND_EXEC, a.total, SCRATCH_SPACE - length - o.at, length);
	if (o.flags & GRITH_RECORD_MORE)
		argv_send_rest(&o, &a);
	scratch_give(o.scratch);
	return 0;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(sched_process_exit, struct task_struct *task)
{
	__u32 pid = task->tgid;
	struct operation o;

	if (!session_of_current())
		return 0;
	hold_forget(pid, task->pid);
	/* Threads end without notice; the last one ends the process. */
	if (task->signal->live.counter)
		return 0;
	hold_forget(pid, 0);
	bpf_map_delete_elem(&stopped_by_user, &pid);
	exec_forget_notes(session_of_current());
	if (operation_begin(&o, GRITH_OP_EXIT) <= 0)
		return 0;
	o.error = task->exit_code;
	if (record_begin(&o, GRITH_KIND_EXIT, sizeof(struct grith_record)))
		record_send(&o, GRITH_KIND_EXIT);
	scratch_give(o.scratch);
	return 0;
}
