/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Files that are no files: whose a terminal or a message queue is decides beside its path, or in
 * place of it.
 */
#pragma once

#include "object.bpf.h"
#include "terminal.bpf.h"

#define MQUEUE_MAGIC 0x19800202

static __always_inline bool is_message_queue(const struct inode *inode)
{
	return inode->i_sb->s_magic == MQUEUE_MAGIC;
}

/* Most files are neither, and are to cost no call. */
static __always_inline bool file_has_owner(const struct inode *inode)
{
	return (inode->i_mode & S_IFMT) == S_IFCHR || is_message_queue(inode);
}

/* After its path was looked up. */
static __noinline int file_apply_owner(struct operation *o, struct file *file)
{
	struct inode *inode = file->f_inode;
	__u64 terminal;

	if (is_message_queue(inode) && (inode->i_mode & S_IFMT) != S_IFDIR) {
		o->d->op = GRITH_OP_IPC;
		if (is_own(inode, o->d->session_id))
			outcome_set_own(o);
		else
			o->d->outcome = FIXED_OUTCOME(o->session, ipc);
		return 0;
	}
	terminal = terminal_of_inode(inode, file->f_path.dentry);
	if (!terminal || is_session_terminal(terminal, o->d->session_id))
		return 0;
	o->d->op = GRITH_OP_TERMINAL;
	o->d->outcome = stricter(o->d->outcome, FIXED_OUTCOME(o->session, terminal));
	return 0;
}
