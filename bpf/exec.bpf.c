/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Programs: whether one may run, that it does, with its whole command line, and the end of its
 * process.
 *
 * A refusal is recorded where it happens, an allowed exec once it has happened: a script passes the
 * first hook twice, as itself and as its interpreter, and an exec can still fail after it. The
 * record also has where the program comes from, and what it is started with at its descriptors 0, 1
 * and 2: which programs are at the two ends of one pipe is where data may flow. Nothing is decided
 * by that.
 */
#include "hook.bpf.h"
#include "inspect.bpf.h"
#include "object.bpf.h"

#define ARGV_CHUNKS (GRITH_ARGV_MAX / GRITH_ARGV_CHUNK)

RENAMED_HOOK(bprm_check_security, bprm_check, struct linux_binprm *bprm)
{
	struct operation o;
	struct file *file;
	int r = operation_begin(&o, GRITH_OP_EXEC);

	if (r <= 0)
		return r;
	file = bprm->file;
	if (!path_lookup(&o, file->f_path.mnt, file->f_path.dentry, ONE_CLASS(EXEC)))
		return operation_drop(&o);
	if (o.d->outcome.flags & GRITH_OUTCOME_INSPECT_ARGV) {
		/* From here on ptrace_access_check refuses to attach: only before can one have. */
		if (!exec_note_inspection() || is_traced_from_inside(bpf_get_current_task_btf()))
			o.d->outcome.verdict = GRITH_DENY;
	}
	o.d->refusals_only = true;
	return path_finish(&o, file->f_path.dentry, 0, SCRATCH_SPACE);
}

#define STREAM_AF_UNIX 1
#define STREAM_S_IFMT 0170000
#define STREAM_S_IFSOCK 0140000

/* One inode number for both ends of a pair of unix sockets, the smaller one. */
static __always_inline __u64 socket_inode(struct file *file, __u64 own)
{
	struct socket *socket = BPF_CORE_READ(file, private_data);
	struct sock *sk = BPF_CORE_READ(socket, sk);
	struct unix_sock *unix_sock = (struct unix_sock *)sk;
	__u64 other;

	if (BPF_CORE_READ(sk, __sk_common.skc_family) != STREAM_AF_UNIX)
		return own;
	other = BPF_CORE_READ(unix_sock, peer, sk_socket, file, f_inode, i_ino);
	return other && other < own ? other : own;
}

/* Unreadable and unused entries are zero, which means closed. */
static __always_inline void stream_read(struct file *file, struct grith_stream *stream)
{
	struct inode *inode = BPF_CORE_READ(file, f_inode);

	__builtin_memset(stream, 0, sizeof(*stream));
	if (!inode)
		return;
	stream->inode = BPF_CORE_READ(inode, i_ino);
	stream->device = BPF_CORE_READ(inode, i_sb, s_dev);
	stream->type = BPF_CORE_READ(inode, i_mode) & STREAM_S_IFMT;
	if (stream->type == STREAM_S_IFSOCK)
		stream->inode = socket_inode(file, stream->inode);
}

/* Thread groups above the parent of the task, without the machine's first process. */
static __always_inline void ancestors_read(struct task_struct *task, __u32 *ancestors)
{
	struct task_struct *above = task->real_parent->real_parent;
	int i;

	for (i = 0; i < GRITH_ANCESTORS; i++) {
		ancestors[i] = above->tgid > 1 ? above->tgid : 0;
		above = above->real_parent;
	}
}

/* Not inlined: its caller has little room left on the stack. */
static __noinline int origin_read(struct scratch *scratch)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct file **table = BPF_CORE_READ(task, files, fdt, fd);
	struct file *files[GRITH_STREAMS] = {};

	/* A table has room for 64 at least. */
	bpf_probe_read_kernel(files, sizeof(files), table);
	stream_read(files[0], &scratch->origin.streams[0]);
	stream_read(files[1], &scratch->origin.streams[1]);
	stream_read(files[2], &scratch->origin.streams[2]);
	ancestors_read(task, scratch->origin.ancestors);
	scratch->origin.pad = 0;
	return 0;
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
	struct grith_session *session;
	struct scratch *scratch;
};

static __always_inline __u32 argv_next(const struct argv *a)
{
	__u32 left = a->total - a->sent;

	return left < GRITH_ARGV_CHUNK ? left : GRITH_ARGV_CHUNK;
}

/* Puts the next part at the end of the scratch. Its length; 0: it cannot be read, TRUNCATED. */
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
	__u32 first = o->d->at;
	struct grith_exec_record *record = record_begin(o, kind, sizeof(*record));

	if (!record)
		return -1;
	record->argv_total = total;
	record->path_at = first - o->d->at;
	record->path_length = path_length;
	record->argv_at = first - o->d->at + path_length;
	record->argv_length = argv_length;
	record->pad = 0;
	if (kind == GRITH_KIND_EXEC)
		record->origin = o->scratch->origin;
	else
		__builtin_memset(&record->origin, 0, sizeof(record->origin));
	record_send(o, kind);
	return 0;
}

/* Sends one further record; 1 after the last. */
static long argv_more(__u32 i, struct argv_rest *rest)
{
	struct operation o = { rest->session, rest->scratch, &rest->scratch->d };
	struct argv *a = &rest->argv;
	__u32 length;

	if (a->sent >= a->total)
		return 1;
	length = argv_read(a, o.scratch);
	o.d->at = SCRATCH_SPACE - length;
	o.d->flags = argv_flags(a, length);
	argv_send(&o, GRITH_KIND_ARGV, a->total, 0, length);
	return !length;
}

static __noinline int argv_send_rest(const struct operation *o, const struct argv *a)
{
	struct argv_rest rest = {
		.argv = *a,
		.session = o->session,
		.scratch = o->scratch,
	};

	*o->d = (struct decision) {
		.session_id = o->d->session_id,
		.now = o->d->now,
		.op = GRITH_OP_EXEC,
	};
	bpf_loop(ARGV_CHUNKS - 1, argv_more, &rest, 0);
	return 0;
}

/*
 * The exec has happened: what held it was answered, or only observed. Where the arguments are to be
 * inspected the program awaits that, before its first instruction.
 */
static __noinline int exec_done(struct operation *o)
{
	exec_apply_notes(o->d);
	if (o->session->mode == GRITH_OBSERVE) {
		if (o->d->outcome.verdict != GRITH_ALLOW)
			o->d->flags |= GRITH_RECORD_OBSERVED;
		return exec_drop_notes(o->d->session_id);
	}
	if (o->d->outcome.verdict != GRITH_ALLOW)
		o->d->flags |= GRITH_RECORD_ANSWERED;
	o->d->outcome.verdict = GRITH_ALLOW;
	if (o->d->outcome.flags & GRITH_OUTCOME_INSPECT_ARGV) {
		o->d->outcome.verdict = GRITH_HOLD;
		inspect_argv(o->d, o->session);
	}
	return exec_drop_notes(o->d->session_id);
}

/*
 * The new program is loaded and has not run an instruction: this is the command line that it will
 * see. TOCTOU of the decision in bprm_check and what runs: of a program bprm->file is the same open
 * file, and the kernel denies writing to it while it is executed. A script's content, which its
 * interpreter opens, is not protected by that: writing to it is an operation of its own.
 */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(sched_process_exec, struct task_struct *task, int old_pid, struct linux_binprm *bprm)
{
	struct file *file = bprm->file;
	struct operation o;
	struct argv a = {};
	__u32 length;
	int r = operation_begin(&o, GRITH_OP_EXEC);

	/*
	 * Fail closed: a tracepoint cannot refuse, so that the new program is killed. bprm_check
	 * has just begun an operation, so that this takes as many programs as there are scratches,
	 * all preempted on this CPU between the two.
	 */
	if (r < 0)
		bpf_send_signal(SIGKILL);
	if (r <= 0)
		return 0;
	a.at = task->mm->arg_start;
	a.total = task->mm->arg_end - a.at;
	length = opaque(o.scratch, argv_read(&a, o.scratch));
	o.d->at = SCRATCH_SPACE - length;
	o.d->flags |= argv_flags(&a, length);
	path_lookup(&o, file->f_path.mnt, file->f_path.dentry, ONE_CLASS(EXEC));
	exec_done(&o);
	origin_read(o.scratch); /* here: the fewest values are live, and the stack is full */
	argv_send(&o, GRITH_KIND_EXEC, a.total, SCRATCH_SPACE - length - o.d->at, length);
	if (o.d->flags & GRITH_RECORD_MORE)
		argv_send_rest(&o, &a);
	scratch_give(o.scratch);
	return 0;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(sched_process_exit, struct task_struct *task)
{
	__u32 pid = task->tgid;
	struct operation o;

	if (session_of_current())
		hold_drop(pid, task->pid);
	/* Threads end without notice; the last one ends the process. */
	if (task->signal->live.counter)
		return 0;
	/* Also of one that has left its session: what stays would fill these maps for good. */
	bpf_map_delete_elem(&stopped_by_user, &pid);
	exec_drop_notes(session_of_current());
	if (!session_of_current())
		return 0;
	hold_drop(pid, 0);
	if (operation_begin(&o, GRITH_OP_EXIT) <= 0)
		return 0;
	o.d->error = task->exit_code;
	if (record_begin(&o, GRITH_KIND_EXIT, sizeof(struct grith_record)))
		record_send(&o, GRITH_KIND_EXIT);
	scratch_give(o.scratch);
	return 0;
}
