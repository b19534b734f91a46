/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Where a program comes from, and what it is started with at its descriptors 0, 1 and 2: which
 * programs are at the two ends of one pipe tells grithd where data may flow. Only for records;
 * nothing is decided by it.
 */
#ifndef GRITH_ORIGIN_BPF_H
#define GRITH_ORIGIN_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#include "maps.bpf.h"

#define STREAM_AF_UNIX 1
#define STREAM_S_IFMT 0170000
#define STREAM_S_IFSOCK 0140000

/* The number of both ends of a pair of unix sockets. An end without the other has its own. */
static __always_inline __u64 socket_number(struct file *file, __u64 own)
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

/* What cannot be read, and the rest, is zero: closed. */
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
		stream->inode = socket_number(file, stream->inode);
}

/* Those above the parent of the task, the machine's first process not included. */
static __always_inline void ancestors_read(struct task_struct *task, __u32 *ancestors)
{
	struct task_struct *above = task->real_parent->real_parent;
	int i;

	for (i = 0; i < GRITH_ANCESTORS; i++) {
		ancestors[i] = above->tgid > 1 ? above->tgid : 0;
		above = above->real_parent;
	}
}

/* Of the current task. A function of its own: its caller has little room left on the stack. */
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

#endif
