/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Unix sockets: connecting, sending, and binding to abstract names; what follows from the peer is
 * in unix.bpf.h. Binding to a path makes a file, and is decided where files are made.
 */
#include "hook.bpf.h"
#include "unix.bpf.h"
#include "syscall.bpf.h"

HOOK(unix_stream_connect, struct sock *sock, struct sock *other, struct sock *made)
{
	return unix_peer(GRITH_OP_CONNECT, other);
}

/*
 * A datagram, or connecting a socket for datagrams. What is sent to where a socket is connected was
 * decided when it was connected; unlike for addresses, a taint since then makes no recheck.
 */
HOOK(unix_may_send, struct socket *sock, struct socket *other)
{
	struct sock *sk = sock->sk;
	enum grith_op op = GRITH_OP_SEND;
	struct unix_sock *own;

	if (!sk || !session_of_current())
		return 0;
	own = bpf_skc_to_unix_sock(sk);
	if (own && own->peer == other->sk)
		return 0;
	if (is_connect_call(syscall_number(bpf_get_current_task_btf())))
		op = GRITH_OP_CONNECT;
	return unix_peer(op, other->sk);
}

/* Beside the program for addresses on the same hook. */
HOOK_SECTIONS("lsm/socket_bind", "fmod_ret/security_socket_bind", socket_bind_unix,
	      struct socket *sock, struct sockaddr *address, int length)
{
	const char *name = (const char *)address + sizeof(__u16);
	struct sock *sk = sock->sk;
	char first;

	if (!session_of_current() || !sk || sk->__sk_common.skc_family != AF_UNIX)
		return 0;
	/* The family alone: the kernel chooses a name that is free. */
	if (length <= (int)sizeof(__u16))
		return 0;
	if (bpf_probe_read_kernel(&first, sizeof(first), name) || first)
		return 0;
	return unix_abstract(GRITH_OP_BIND, GRITH_OP_CLASS_BIND, name + 1,
			     length - sizeof(__u16) - 1, false);
}

/*
 * A connected socket arrives in a descriptor: as if the receiver had connected it, unless that was
 * done in the session. One that is not connected yet is decided when it is.
 */
HOOK_SECTIONS("lsm/file_receive", "fmod_ret/security_file_receive", file_receive_unix,
	      struct file *file)
{
	__u64 id = session_of_current();
	struct unix_sock *own;
	struct socket *sock;

	if (!id || (file->f_inode->i_mode & S_IFMT) != S_IFSOCK)
		return 0;
	sock = bpf_sock_from_file(file);
	if (!sock || !sock->sk || session_of_socket(sock->sk) == id)
		return 0;
	own = bpf_skc_to_unix_sock(sock->sk);
	return own ? unix_peer(GRITH_OP_CONNECT, own->peer) : 0;
}
