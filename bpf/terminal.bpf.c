/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Terminals: noting whose they are, and what is done to one beyond reading and writing. Opening one
 * is decided where files are opened.
 */
#include "hook.bpf.h"
#include "object.bpf.h"
#include "terminal.bpf.h"

#define TIOCSCTTY 0x540e
#define TIOCSTI 0x5412
#define TIOCLINUX 0x541c
#define TIOCCONS 0x541d
#define TIOCSETD 0x5423
#define TIOCVHANGUP 0x5437
#define TIOCSLCKTRMIOS 0x5457

/* --- whose they are */

SEC("?fexit/devpts_pty_new")
int BPF_PROG(devpts_pty_new, struct pts_fs_info *instance, int index, void *slave,
	     struct dentry *made)
{
	if ((__u64)made < (__u64)-MAX_ERRNO)
		own_note(slave);
	return 0;
}

/* Another pseudo terminal may get the same address. */
static long forget_start(struct bpf_map *map, __u64 *session, __u64 *terminal, __u64 *ended)
{
	if (*terminal == *ended)
		bpf_map_delete_elem(map, session);
	return 0;
}

SEC("?fentry/devpts_pty_kill")
int BPF_PROG(devpts_pty_kill, struct dentry *entry)
{
	__u64 slave = (__u64)entry->d_fsdata;

	own_forget((void *)slave);
	bpf_for_each_map_elem(&start_terminals, forget_start, &slave, 0);
	return 0;
}

/* Of a descriptor that a program is started with. */
static __always_inline __u64 terminal_of_stream(struct file *file)
{
	__u32 device = BPF_CORE_READ(file, f_inode, i_rdev);

	if ((BPF_CORE_READ(file, f_inode, i_mode) & S_IFMT) != S_IFCHR ||
	    !(is_pty_slave(device) || DEV_MAJOR(device) == TTY_MAJOR))
		return 0;
	return terminal_of_file(file);
}

/*
 * The first exec in a session is that of its command, by grith itself, whose terminal is still its
 * user's. Without a controlling terminal it is one that the command can use already.
 */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(start_terminal, struct task_struct *task)
{
	__u64 session = session_of_current(), terminal;
	struct file *streams[GRITH_STREAMS] = {};
	int i;

	if (!session || bpf_map_lookup_elem(&start_terminals, &session))
		return 0;
	terminal = terminal_of_tty(BPF_CORE_READ(task, signal, tty));
	bpf_probe_read_kernel(streams, sizeof(streams), BPF_CORE_READ(task, files, fdt, fd));
	for (i = 0; i < GRITH_STREAMS && !terminal; i++)
		terminal = terminal_of_stream(streams[i]);
	bpf_map_update_elem(&start_terminals, &session, &terminal, BPF_NOEXIST);
	return 0;
}

/* --- what is done to them */

/*
 * Input that nobody has typed, another line discipline, another's controlling terminal, and all of
 * what changes consoles and keyboards. None of these numbers means anything on another device.
 */
static __always_inline bool is_control(unsigned int command, unsigned long argument)
{
	switch (command) {
	case TIOCSTI:
	case TIOCLINUX:
	case TIOCCONS:
	case TIOCSETD:
	case TIOCVHANGUP:
	case TIOCSLCKTRMIOS:
		return true;
	case TIOCSCTTY:
		return argument; /* also if it controls another session */
	default:
		return command >> 8 == 'K' || command >> 8 == 'V';
	}
}

/* Of its own pseudo terminals a session has both ends. */
static __noinline int terminal_control(struct file *file, unsigned int command)
{
	struct operation o;
	int r;

	if ((file->f_inode->i_mode & S_IFMT) != S_IFCHR ||
	    is_own((void *)terminal_of_file(file), session_of_current()))
		return 0;
	r = operation_begin(&o, GRITH_OP_TERMINAL);
	if (r <= 0)
		return r;
	o.d->outcome = FIXED_OUTCOME(o.session, terminal);
	o.d->request.path.value = command;
	return path_operation(&o, file->f_path.mnt, file->f_path.dentry, ONE_CLASS(WRITE), 0);
}

HOOK(file_ioctl, struct file *file, unsigned int command, unsigned long argument)
{
	if (!session_of_current() || !is_control(command, argument))
		return 0;
	return terminal_control(file, command);
}

/* Calls of 32-bit programs; before 6.8 and its stable companions these came to file_ioctl. */
OPTIONAL_HOOK(file_ioctl_compat, struct file *file, unsigned int command, unsigned long argument)
{
	if (!session_of_current() || !is_control(command, argument))
		return 0;
	return terminal_control(file, command);
}
