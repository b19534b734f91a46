/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Files that a process gets at: opening, receiving, mapping as code, truncating, listing. What an
 * open does is read from the file and not from the call's arguments.
 */
#include "hook.bpf.h"
#include "guard.bpf.h"
#include "ipc.bpf.h"
#include "syscall.bpf.h"

#define FMODE_READ 0x1
#define FMODE_EXEC 0x20 /* in f_flags: an open by the kernel itself, for exec; or mq_open() */
#define FMODE_CREATED 0x100000
#define FMODE_NOACCOUNT 0x20000000 /* an open by the kernel itself, for an overlay */

#define O_TRUNC 0x200 /* 01000 */
#define O_TMPFILE_ONLY 0x400000 /* 020000000: O_TMPFILE without O_DIRECTORY */

#define PROT_READ 0x1
#define PROT_EXEC 0x4
#define READ_IMPLIES_EXEC 0x0400000 /* a personality */

static __always_inline int file_operation(struct operation *o, struct file *file, __u32 op_classes,
					  __u32 open_flags)
{
	if ((file->f_inode->i_mode & S_IFMT) == S_IFDIR)
		o->d->flags |= GRITH_RECORD_DIRECTORY;
	if (!path_lookup(o, file->f_path.mnt, file->f_path.dentry, op_classes))
		return operation_drop(o);
	if (file_has_owner(file->f_inode))
		file_apply_owner(o, file);
	if (file_is_guarded(file))
		guard_file(o, file);
	return path_finish(o, file->f_path.dentry, open_flags, SCRATCH_SPACE);
}

/* The op classes that an open file can be used for; none for one opened with O_PATH. */
static __always_inline __u32 file_classes(struct file *file)
{
	__u32 mode = file->f_mode & (FMODE_READ | FMODE_WRITE);

	if (mode && (file->f_inode->i_mode & S_IFMT) == S_IFDIR)
		return ONE_CLASS(LIST);
	switch (mode) {
	case FMODE_READ:
		return ONE_CLASS(READ);
	case FMODE_WRITE:
		return ONE_CLASS(WRITE);
	case FMODE_READ | FMODE_WRITE:
		return TWO_CLASSES(READ, WRITE);
	default:
		return NO_CLASS;
	}
}

/*
 * The kernel empties the file once this open has succeeded, whatever access it is for. It goes by
 * the same flag, which it takes from the file afterwards.
 */
static __always_inline bool truncates(struct file *file)
{
	return file->f_flags & O_TRUNC && (file->f_inode->i_mode & S_IFMT) == S_IFREG;
}

/* The call is one of open()'s, and not a ring's or one of those for open files. */
static __always_inline bool is_part_of_open(void)
{
	return is_open_call(current_call(bpf_get_current_task_btf()));
}

/* The flag alone is not enough: mq_open() and TIOCGPTPEER take what a program gives. */
static __always_inline bool is_exec_open(struct file *file)
{
	return file->f_flags & FMODE_EXEC && is_exec_call(current_call(bpf_get_current_task_btf()));
}

/*
 * Until 6.4 a file of a layer has the overlay's path. Any name of its inode will do: a task that
 * may use one of its hard links may use them all.
 */
static __noinline int layer_open(struct operation *o, struct file *file, __u32 op_classes)
{
	struct inode *inode = file->f_inode;
	struct hlist_node *alias = BPF_CORE_READ(inode, i_dentry.first);
	__u64 entry = (__u64)alias - bpf_core_field_offset(struct dentry, d_u.d_alias);

	if (!alias || !layer_lookup(o, entry, op_classes))
		return operation_drop(o);
	return path_finish(o, NULL, file->f_flags, SCRATCH_SPACE);
}

HOOK(file_open, struct file *file)
{
	struct operation o;
	__u32 op_classes;
	int r = operation_begin(&o, GRITH_OP_READ);

	if (r <= 0)
		return r;
	if (is_exec_open(file)) /* decided where it is an exec */
		return operation_drop(&o);
	if (file->f_mode & FMODE_NOACCOUNT && !overlay_is_own(o.session))
		return operation_drop(&o); /* decided on the overlay */
	op_classes = file_classes(file);
	if (op_classes == ONE_CLASS(LIST))
		o.d->op = GRITH_OP_OPENDIR;
	else if (file->f_mode & FMODE_WRITE)
		o.d->op = GRITH_OP_WRITE;
	if (op_classes == TWO_CLASSES(READ, WRITE))
		o.d->flags |= GRITH_RECORD_READ_TOO;
	if (op_classes == NO_CLASS) /* flags 3: neither, but ioctl() works on it */
		op_classes = ONE_CLASS(READ);
	o.d->request.path.value = file->f_flags & (O_TRUNC | O_TMPFILE_ONLY);
	/*
	 * Race: another thread renames a new file between path_mknod and this hook. It is still the
	 * file that path_mknod decided. Under its new name a deny counts; a hold is taken as
	 * answered, because the call has made the file and cannot be made again.
	 */
	if (file->f_flags & O_TMPFILE_ONLY) {
		o.d->request.path.variant = OPEN_TMPFILE;
	} else if (file->f_mode & FMODE_CREATED) {
		o.d->flags |= GRITH_RECORD_CREATED;
		o.d->answered_in_call =
			is_part_of_open(); /* path_mknod has decided the write, too */
	} else if (truncates(file)) {
		o.d->overwrites = true;
		if (o.d->op == GRITH_OP_READ) { /* O_RDONLY | O_TRUNC empties it as well */
			o.d->op = GRITH_OP_WRITE;
			o.d->flags |= GRITH_RECORD_READ_TOO;
			op_classes = TWO_CLASSES(READ, WRITE);
		}
	}
	if (file->f_mode & FMODE_NOACCOUNT && file->f_path.dentry->d_inode != file->f_inode)
		return layer_open(&o, file, op_classes);
	return file_operation(&o, file, op_classes, file->f_flags);
}

/* A descriptor arrives over a unix socket: as if the receiver had opened the file. */
HOOK(file_receive, struct file *file)
{
	__u32 op_classes = file_classes(file);
	struct operation o;
	int r;

	if (op_classes == NO_CLASS) /* opened with O_PATH: opening through it is decided then */
		return 0;
	r = operation_begin(&o, GRITH_OP_RECEIVE);
	if (r <= 0)
		return r;
	return file_operation(&o, file, op_classes, file->f_flags);
}

/* Running it was decided when it was executed. */
static __always_inline bool is_own_program(struct file *file)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct mm_struct *mm = task->mm;
	struct file *own = mm ? mm->exe_file : NULL;

	return own && own->f_inode == file->f_inode;
}

/* A program's own code, its libraries and its loader are mapped like this. */
static __always_inline int map_file(struct file *file, unsigned long prot, int ret)
{
	struct operation o;
	int r;

	if (ret)
		return ret;
	if (!file || !(prot & PROT_EXEC))
		return 0;
	r = operation_begin(&o, GRITH_OP_MAP);
	if (r <= 0)
		return r;
	o.d->answered_in_call = is_own_program(file);
	if (!path_lookup(&o, file->f_path.mnt, file->f_path.dentry, ONE_CLASS(EXEC)))
		return operation_drop(&o);
	/*
	 * A program whose arguments are to be inspected, brought in by another one, such as the
	 * loader: it would run without an exec. Programs do not map each other, and libraries are
	 * not inspected.
	 */
	if (o.d->outcome.flags & GRITH_OUTCOME_INSPECT_ARGV && !o.d->answered_in_call)
		o.d->outcome.verdict = GRITH_DENY;
	return path_finish(&o, file->f_path.dentry, 0, SCRATCH_SPACE);
}

SEC("lsm/mmap_file")
int BPF_PROG(lsm_mmap_file, struct file *file, unsigned long reqprot, unsigned long prot,
	     unsigned long flags, int ret)
{
	return map_file(file, prot, ret);
}

/* The function in front of the hook has only the protection that the program wants. */
SEC("fmod_ret/security_mmap_file")
int BPF_PROG(mod_mmap_file, struct file *file, unsigned long prot, unsigned long flags, int ret)
{
	struct task_struct *task = bpf_get_current_task_btf();

	if (prot & PROT_READ && task->personality & READ_IMPLIES_EXEC)
		prot |= PROT_EXEC;
	return map_file(file, prot, ret);
}

/* Mapped readable first, made executable later. Memory without a file is the program's own. */
HOOK(file_mprotect, struct vm_area_struct *vma, unsigned long reqprot, unsigned long prot)
{
	return map_file(vma->vm_file, prot, 0);
}

/* An open with O_TRUNC was decided and recorded as the open for writing that it is. */
static __always_inline int truncate(struct vfsmount *mnt, struct dentry *entry)
{
	struct operation o;
	int r;

	if (!session_of_current() || is_part_of_open())
		return 0;
	r = operation_begin(&o, GRITH_OP_TRUNCATE);
	if (r <= 0)
		return r;
	o.d->overwrites = true;
	return path_operation(&o, mnt, entry, ONE_CLASS(WRITE), 0);
}

HOOK(path_truncate, struct path *path)
{
	return truncate(path->mnt, path->dentry);
}

/* Since 6.2; before, path_truncate is called for descriptors too. */
OPTIONAL_HOOK(file_truncate, struct file *file)
{
	return truncate(file->f_path.mnt, file->f_path.dentry);
}

/* One call that reads a directory. It is recorded; what refuses is the open. */
SEC("?fentry/iterate_dir")
int BPF_PROG(iterate_dir, struct file *file)
{
	struct operation o;

	if (operation_begin(&o, GRITH_OP_LIST) <= 0)
		return 0;
	o.d->record_only = true;
	file_operation(&o, file, ONE_CLASS(LIST), 0);
	return 0;
}
