/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Sockets with addresses: creating, connecting, binding, listening, sending to somewhere. Unix
 * sockets have names instead: unix.bpf.c.
 *
 * How an address is read depends on the family of the socket and not on what the address says of
 * itself: the kernel takes AF_UNSPEC for AF_INET in places, and so does an agent that tries.
 */
#include "hook.bpf.h"
#include "net.bpf.h"

char LICENSE[] SEC("license") = "Dual MPL/GPL";

#define MSG_FASTOPEN 0x20000000

HOOK(socket_create, int family, int type, int protocol, int kern, int ret)
{
	bool raw = type == SOCK_RAW || type == SOCK_PACKET;
	struct operation o;
	const __u32 *image;
	int r;

	if (ret || kern) /* a socket of the kernel's own */
		return ret;
	r = operation_begin(&o, GRITH_OP_SOCKET);
	if (r <= 0)
		return r;
	image = image_of_slot(o.session->image);
	if (!image)
		count(GRITH_COUNT_NO_IMAGE);
	o.outcome = image ? socket_outcome(image, family, raw) : OUTCOME_DENY;
	return net_finish(
		&o, &(struct endpoint) { .family = family, .type = type, .protocol = protocol });
}

HOOK(socket_connect, struct socket *sock, struct sockaddr *address, int length, int ret)
{
	struct endpoint e;

	if (ret || !session_of_current())
		return ret;
	/* AF_UNSPEC ends a connection. */
	if (!endpoint_from_address(&e, sock->sk, address, length) || e.address_family == AF_UNSPEC)
		return 0;
	endpoint_any_is_loopback(&e);
	return net_operation(GRITH_OP_CONNECT, GRITH_NET_CONNECT, &e);
}

HOOK(socket_bind, struct socket *sock, struct sockaddr *address, int length, int ret)
{
	struct endpoint e;

	if (ret || !session_of_current())
		return ret;
	if (!endpoint_from_address(&e, sock->sk, address, length))
		return 0;
	return net_operation(GRITH_OP_BIND, GRITH_NET_BIND, &e);
}

/* Without a bind before it, the kernel would choose the port and listen on every address. */
HOOK(socket_listen, struct socket *sock, int backlog, int ret)
{
	struct endpoint e;

	if (ret || !session_of_current())
		return ret;
	if (!endpoint_local(&e, sock->sk))
		return 0;
	return net_operation(GRITH_OP_LISTEN, GRITH_NET_LISTEN, &e);
}

/* Data with a destination of its own. On a TCP connection the kernel ignores one. */
HOOK(socket_sendmsg, struct socket *sock, struct msghdr *message, int size, int ret)
{
	bool fast_open = message->msg_flags & MSG_FASTOPEN;
	struct endpoint e;

	if (ret || !message->msg_name || !session_of_current())
		return ret;
	if (!endpoint_from_address(&e, sock->sk, message->msg_name, message->msg_namelen))
		return 0;
	if ((e.protocol == IPPROTO_TCP || e.protocol == IPPROTO_MPTCP) && !fast_open)
		return 0;
	if (e.family == AF_INET6 && e.address_family == AF_UNSPEC)
		return 0; /* sent to where the socket is connected */
	endpoint_any_is_loopback(&e);
	return net_operation(fast_open ? GRITH_OP_CONNECT : GRITH_OP_SEND, GRITH_NET_CONNECT, &e);
}

/*
 * How a connect ended, unix sockets included: that it was allowed does not say that it succeeded.
 * A refusal has a record already.
 */
SEC("?fexit/__sys_connect_file")
int BPF_PROG(connect_result, struct file *file, void *address, int length, int flags, int ret)
{
	struct operation o;

	if (ret == -EACCES || operation_begin(&o, GRITH_OP_CONNECT) <= 0)
		return 0;
	o.error = ret;
	if (record_begin(&o, GRITH_KIND_RESULT, sizeof(struct grith_record)))
		record_send(&o, GRITH_KIND_RESULT);
	scratch_give(o.scratch);
	return 0;
}
