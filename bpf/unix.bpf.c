/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Unix sockets: connecting, sending, and binding to abstract names. The object is the peer's name:
 * a path in the file system, or "@name". A peer without a name, such as the other end of a
 * socketpair, is allowed: its descriptor was inherited or received, which was decided then. Binding
 * to a path makes a file, and is decided where files are made.
 */
#include "hook.bpf.h"
#include "object.bpf.h"
#include "syscall.bpf.h"

#define AF_UNIX 1

/*
 * An operation on an abstract name, which is given without the NUL that marks it as one; there may
 * be more of them in it.
 */
static __noinline int unix_abstract(enum grith_op op, enum grith_op_class op_class,
				    const void *name, __u32 length)
{
	struct operation o;
	const __u32 *image;
	int r = operation_begin(&o, op), at;

	if (r <= 0)
		return r;
	o.d.flags |= GRITH_RECORD_UNIX | GRITH_RECORD_ABSTRACT;
	o.d.outcome = OUTCOME_DENY;
	image = image_of_session(o.session);
	at = text_prepend_marked(o.scratch, SCRATCH_SPACE, '@', name, length);
	if (at >= 0)
		o.d.at = at;
	if (at >= 0 && image)
		o.d.outcome = row_outcome(image, image_row(image, o.scratch, at, SCRATCH_SPACE),
					  op_class);
	return path_finish(&o, NULL, 0, SCRATCH_SPACE);
}

/* An operation on a socket that is in the file system. */
static __noinline int unix_path(enum grith_op op, struct unix_sock *peer)
{
	return path_request(op, peer->path.mnt, peer->path.dentry, ONE_CLASS(CONNECT),
			    GRITH_RECORD_UNIX, VARIANT_NONE, 0);
}

/* The socket that is connected or sent to, with whatever name it has. */
static __always_inline int unix_peer(enum grith_op op, struct sock *sk)
{
	struct unix_sock *peer;
	struct unix_address *address;
	int length;

	if (!sk || !session_of_current())
		return 0;
	peer = bpf_skc_to_unix_sock(sk);
	if (!peer)
		return 0;
	if (peer->path.dentry)
		return unix_path(op, peer);
	address = peer->addr;
	length = address ? address->len - (int)sizeof(__u16) - 1 : -1;
	if (length < 0)
		return 0; /* no name */
	return unix_abstract(op, GRITH_OP_CLASS_CONNECT,
			     (const char *)address +
				     bpf_core_field_offset(struct unix_address, name) +
				     sizeof(__u16) + 1,
			     length);
}

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
			     length - sizeof(__u16) - 1);
}
