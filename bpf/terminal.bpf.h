/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Whose a terminal is. A session may use the pseudo terminals that it has made and the terminal
 * that it was started in; every other one has somebody else in front of it, or behind it.
 *
 * A pseudo terminal is known by the address of its slave's tty, which its entry in devpts has as
 * well; any other terminal by its device number.
 */
#pragma once

#include "own.bpf.h"

#define DEV_MAJOR(device) ((device) >> 20)
#define S_IFCHR 0020000
#define TTY_MAJOR 4 /* consoles and serial lines */
#define TTYAUX_MAJOR 5 /* tty: the task's own; console; ptmx */
#define CONSOLE_DEVICE (TTYAUX_MAJOR << 20 | 1)
#define PTY_MASTER_MAJOR 128 /* to 135 */
#define PTY_SLAVE_MAJOR 136 /* to 143 */

static __always_inline bool is_pty_slave(__u32 device)
{
	return DEV_MAJOR(device) >> 3 == PTY_SLAVE_MAJOR >> 3;
}

/* 0: none. */
static __noinline __u64 terminal_of_tty(struct tty_struct *tty)
{
	struct tty_driver *driver = BPF_CORE_READ(tty, driver);
	__u32 major = BPF_CORE_READ(driver, major);

	if (!tty)
		return 0;
	if (major >> 3 == PTY_MASTER_MAJOR >> 3)
		return (__u64)BPF_CORE_READ(tty, link);
	if (major >> 3 == PTY_SLAVE_MAJOR >> 3)
		return (__u64)tty;
	return major << 20 | (BPF_CORE_READ(driver, minor_start) + BPF_CORE_READ(tty, index));
}

/* Of an open file that is a terminal. */
static __always_inline __u64 terminal_of_file(struct file *file)
{
	struct tty_file_private *private = BPF_CORE_READ(file, private_data);

	return private ? terminal_of_tty(BPF_CORE_READ(private, tty)) : 0;
}

/* Of a device that is being opened; 0: no terminal, or the one that controls the task anyway. */
static __always_inline __u64 terminal_of_inode(struct inode *inode, struct dentry *entry)
{
	__u32 device = inode->i_rdev;

	if ((inode->i_mode & S_IFMT) != S_IFCHR)
		return 0;
	if (is_pty_slave(device))
		return (__u64)entry->d_fsdata;
	return DEV_MAJOR(device) == TTY_MAJOR || device == CONSOLE_DEVICE ? device : 0;
}

/*
 * A task's controlling terminal is the one that the session was started in, its own, or one of
 * which it had a descriptor: opening it once more gives nothing new.
 */
static __always_inline bool is_session_terminal(__u64 terminal, __u64 session)
{
	__u64 *start = bpf_map_lookup_elem(&start_terminals, &session);
	struct task_struct *task = bpf_get_current_task_btf();

	return is_own((void *)terminal, session) || (start && *start == terminal) ||
	       terminal_of_tty(BPF_CORE_READ(task, signal, tty)) == terminal;
}
