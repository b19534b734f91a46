/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Sockets with addresses: creating, connecting, binding, listening, sending to somewhere. Unix
 * sockets have names instead: unix.bpf.c.
 *
 * How an address is read depends on the family of the socket and not on the family in the address:
 * the kernel takes AF_UNSPEC for AF_INET in places, and so does an agent that tries.
 */
#include "hook.bpf.h"
#include "net.bpf.h"

#define MSG_FASTOPEN 0x20000000

HOOK(socket_create, int family, int type, int protocol, int kern)
{
	bool raw = type == SOCK_RAW || type == SOCK_PACKET;
	struct operation o;
	const __u32 *image;
	int r;

	if (kern) /* a socket of the kernel's own */
		return 0;
	r = operation_begin(&o, GRITH_OP_SOCKET);
	if (r <= 0)
		return r;
	image = image_of_session(o.session);
	o.d.outcome = image ? socket_outcome(image, family, raw) : OUTCOME_DENY;
	return net_finish(
		&o, &(struct endpoint) { .family = family, .type = type, .protocol = protocol });
}

/*
 * What is sent on a connection was decided when it was made, but for what the session has read
 * since: the first write to a socket after a taint is another operation. Race: a taint while that
 * is decided. The time is the operation's begin, so that a read which begins later makes one more
 * recheck. Not closed: a read that began before it and taints only after the decision; late taint
 * of a read before it.
 */
static __always_inline void mark_rechecked(struct sock *sk, __u64 now)
{
	__u64 cookie = bpf_get_socket_cookie(sk);

	bpf_map_update_elem(&rechecked, &cookie, &now, BPF_ANY);
}

/* When the session last read a source, late taint included; 0: never, or no entry: it ended. */
static __always_inline __u64 last_taint(__u64 id)
{
	const struct grith_session *session = bpf_map_lookup_elem(&sessions, &id);
	const struct grith_late_taint *t = bpf_map_lookup_elem(&late_taint, &id);
	__u64 latest = session ? session->context.tainted_any : 0;
	int i;

	for (i = 0; t && i < GRITH_SOURCES; i++)
		if (t->tainted[i] > latest)
			latest = t->tainted[i];
	return latest;
}

static __always_inline bool is_rechecked(struct sock *sk, __u64 since)
{
	__u64 cookie = bpf_get_socket_cookie(sk), *when = bpf_map_lookup_elem(&rechecked, &cookie);

	return when && *when > since;
}

HOOK(socket_connect, struct socket *sock, struct sockaddr *address, int length)
{
	/* Read before it is decided: a read that begins meanwhile is later, and makes a recheck. */
	__u64 id = session_of_current(), now = bpf_ktime_get_ns();
	struct sock *sk = sock->sk;
	struct endpoint e;
	int r;

	if (!id || !sk)
		return 0;
	if (!endpoint_from_address(&e, sk, address, length) || e.address_family == AF_UNSPEC)
		return 0; /* AF_UNSPEC ends a connection */
	endpoint_any_is_loopback(&e);
	r = net_operation(GRITH_OP_CONNECT, GRITH_NET_CONNECT, &e);
	if (!r && last_taint(id))
		mark_rechecked(sk, now);
	return r;
}

HOOK(socket_bind, struct socket *sock, struct sockaddr *address, int length)
{
	struct endpoint e;

	if (!session_of_current() || !endpoint_from_address(&e, sock->sk, address, length))
		return 0;
	return net_operation(GRITH_OP_BIND, GRITH_NET_BIND, &e);
}

/* Without a bind before it, the kernel would choose the port and listen on every address. */
HOOK(socket_listen, struct socket *sock, int backlog)
{
	struct endpoint e;

	if (!session_of_current() || !endpoint_of_socket(&e, sock->sk, false))
		return 0;
	return net_operation(GRITH_OP_LISTEN, GRITH_NET_LISTEN, &e);
}

/*
 * Whether data for where the socket is connected is an operation; then *e is filled. Only what the
 * session has read since matters, and only towards another machine.
 */
static __always_inline bool needs_recheck(struct endpoint *e, struct sock *sk, __u64 id)
{
	__u64 since;

	if (!endpoint_of_socket(e, sk, true) || !is_remote(e))
		return false;
	since = last_taint(id);
	return since && !is_rechecked(sk, since);
}

/* The destination is the socket's own: there is none, or the kernel ignores it. */
static __always_inline bool is_for_peer(const struct endpoint *e, bool fast_open)
{
	if (e->protocol == IPPROTO_TCP || e->protocol == IPPROTO_MPTCP)
		return !fast_open;
	return e->family == AF_INET6 && e->address_family == AF_UNSPEC;
}

/*
 * The policy's verdict on a connection was given when that was made, or there is none on a peer
 * that connected to us: what is left is what the session's state adds.
 */
static __always_inline int send_operation(enum grith_op op, const struct endpoint *e,
					  struct sock *connected)
{
	struct operation o;
	int r = operation_begin(&o, op);
	__u64 now;

	if (r <= 0)
		return r;
	net_lookup(&o, e, GRITH_NET_CONNECT);
	if (connected) {
		o.d.request.net.variant = SEND_CONNECTED;
		if (o.d.outcome.verdict != GRITH_ALLOW)
			o.d.outcome = (struct grith_outcome) { 0 };
	}
	now = o.d.now;
	r = net_finish(&o, e);
	if (!r && connected)
		mark_rechecked(connected, now);
	return r;
}

/* Data, with a destination of its own or for where the socket is connected. */
HOOK(socket_sendmsg, struct socket *sock, struct msghdr *message, int size)
{
	bool fast_open = message->msg_flags & MSG_FASTOPEN;
	__u64 id = session_of_current();
	const void *to = message->msg_name; /* loaded once: *e is filled or it is not */
	struct sock *sk = sock->sk;
	struct endpoint e;

	if (!id || !sk)
		return 0;
	if (to && !endpoint_from_address(&e, sk, to, message->msg_namelen))
		return 0;
	if (!to || is_for_peer(&e, fast_open))
		return needs_recheck(&e, sk, id) ? send_operation(GRITH_OP_SEND, &e, sk) : 0;
	endpoint_any_is_loopback(&e);
	return send_operation(fast_open ? GRITH_OP_CONNECT : GRITH_OP_SEND, &e, NULL);
}

/*
 * How a connect ended, unix sockets included: one that was allowed may fail.
 * A refusal has a record already; a held try makes one with error 513.
 */
SEC("?fexit/__sys_connect_file")
int BPF_PROG(connect_result, struct file *file, void *address, int length, int flags, int ret)
{
	struct operation o;

	if (ret == -EACCES || operation_begin(&o, GRITH_OP_CONNECT) <= 0)
		return 0;
	o.d.error = ret;
	if (record_begin(&o, GRITH_KIND_RESULT, sizeof(struct grith_record)))
		record_send(&o, GRITH_KIND_RESULT);
	scratch_give(o.scratch);
	return 0;
}
