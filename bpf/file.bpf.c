/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Files: opening. What an open is, is told from the file and not from the call.
 */
#include "hook.bpf.h"
#include "object.bpf.h"

char LICENSE[] SEC("license") = "Dual MPL/GPL";

#define S_IFMT 00170000
#define S_IFDIR 0040000

#define FMODE_READ 0x1
#define FMODE_WRITE 0x2
#define FMODE_EXEC 0x20 /* in f_flags: an open by the kernel itself, for exec */
#define FMODE_CREATED 0x100000
#define FMODE_NOACCOUNT 0x20000000 /* an open by the kernel itself, for an overlay */

HOOK(file_open, struct file *file, int ret)
{
	__u32 classes = CLASS_ONE(GRITH_CLASS_READ);
	struct operation o;
	int r;

	if (ret)
		return ret;
	r = operation_begin(&o, GRITH_OP_READ);
	if (r <= 0)
		return r;
	if (file->f_flags & FMODE_EXEC || file->f_mode & FMODE_NOACCOUNT)
		return operation_drop(&o);
	if ((file->f_inode->i_mode & S_IFMT) == S_IFDIR) {
		o.op = GRITH_OP_OPENDIR;
		o.flags |= GRITH_RECORD_DIRECTORY;
		classes = CLASS_ONE(GRITH_CLASS_LIST);
	} else if (file->f_mode & FMODE_WRITE) {
		o.op = GRITH_OP_WRITE;
		classes = CLASS_ONE(GRITH_CLASS_WRITE);
		if (file->f_mode & FMODE_READ) {
			o.flags |= GRITH_RECORD_READ_TOO;
			classes = CLASS_PAIR(GRITH_CLASS_READ, GRITH_CLASS_WRITE);
		}
	}
	if (file->f_mode & FMODE_CREATED)
		o.flags |= GRITH_RECORD_CREATED;
	return object_operation(&o, file->f_path.mnt, file->f_path.dentry, classes, file->f_flags);
}
