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
	bool raw = socket_is_raw(family, type, protocol);
	struct operation o;
	const __u32 *image;
	int r;

	if (kern) /* a socket of the kernel's own */
		return 0;
	r = operation_begin(&o, GRITH_OP_SOCKET);
	if (r <= 0)
		return r;
	image = image_of_session(o.session);
	o.d->outcome = image ? socket_outcome(image, family, raw) : OUTCOME_DENY;
	return net_finish(
		&o, &(struct endpoint) { .family = family, .type = type, .protocol = protocol });
}

/*
 * What is sent on a connection was decided when it was made, but for what the session has read
 * since: the first write to a socket after a taint is another operation. Race: a taint while that
 * is decided, or one of a read from before, late taint included. What is noted is the taint as it
 * was before the decision, and any other one makes one more recheck, an earlier one too.
 */
static __always_inline void mark_rechecked(struct sock *sk, __u64 taint)
{
	__u64 cookie = bpf_get_socket_cookie(sk);

	bpf_map_update_elem(&rechecked, &cookie, &taint, BPF_ANY);
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

static __always_inline bool is_rechecked(struct sock *sk, __u64 taint)
{
	__u64 cookie = bpf_get_socket_cookie(sk), *known = bpf_map_lookup_elem(&rechecked, &cookie);

	return known && *known == taint;
}

HOOK(socket_connect, struct socket *sock, struct sockaddr *address, int length)
{
	__u64 id = session_of_current(), taint;
	struct sock *sk = sock->sk;
	struct endpoint e;
	int r;

	if (!id || !sk)
		return 0;
	if (!endpoint_from_address(&e, sk, address, length) || e.address_family == AF_UNSPEC)
		return 0; /* AF_UNSPEC ends a connection */
	endpoint_any_is_loopback(&e);
	taint = last_taint(id); /* before the decision, see mark_rechecked() */
	r = net_operation(GRITH_OP_CONNECT, GRITH_NET_CONNECT, &e);
	if (!r && taint)
		mark_rechecked(sk, taint);
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
 * Whether data for where the socket is connected is an operation: the taint that makes it one, and
 * *e is filled; else 0. Only what the session has read since matters, and only what leaves it: its
 * own listener is at one end of a connection within this machine that it made to itself, or that a
 * program outside has asked for.
 */
static __always_inline __u64 needs_recheck(struct endpoint *e, struct sock *sk, __u64 id)
{
	__u64 taint = last_taint(id);
	struct endpoint here;

	if (!taint || !endpoint_of_socket(e, sk, true) || is_rechecked(sk, taint))
		return 0;
	if (is_remote(e))
		return taint;
	if (is_own_listener(e, id))
		return 0;
	return endpoint_of_socket(&here, sk, false) && is_own_listener(&here, id) ? 0 : taint;
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
 * that connected to us: what is left is what the session's state adds, `taint` among it.
 */
static __always_inline int send_operation(enum grith_op op, const struct endpoint *e,
					  struct sock *connected, __u64 taint)
{
	struct operation o;
	int r = operation_begin(&o, op);

	if (r <= 0)
		return r;
	net_lookup(&o, e, GRITH_NET_CONNECT);
	if (connected) {
		o.d->request.net.variant = SEND_CONNECTED;
		if (o.d->outcome.verdict != GRITH_ALLOW)
			o.d->outcome = (struct grith_outcome) { 0 };
	}
	r = net_finish(&o, e);
	if (!r && connected)
		mark_rechecked(connected, taint);
	return r;
}

/* Data, with a destination of its own or for where the socket is connected. */
HOOK(socket_sendmsg, struct socket *sock, struct msghdr *message, int size)
{
	bool fast_open = message->msg_flags & MSG_FASTOPEN;
	__u64 id = session_of_current(), taint;
	const void *to = message->msg_name; /* loaded once: *e is filled or it is not */
	struct sock *sk = sock->sk;
	struct endpoint e;

	if (!id || !sk)
		return 0;
	if (to && !endpoint_from_address(&e, sk, to, message->msg_namelen))
		return 0;
	if (!to || is_for_peer(&e, fast_open)) {
		taint = needs_recheck(&e, sk, id);
		return taint ? send_operation(GRITH_OP_SEND, &e, sk, taint) : 0;
	}
	endpoint_any_is_loopback(&e);
	return send_operation(fast_open ? GRITH_OP_CONNECT : GRITH_OP_SEND, &e, NULL, 0);
}

/*
 * How a connect ended, unix sockets included: one that was allowed may fail. A refusal has a record
 * already, and a held try has not ended.
 */
SEC("?fexit/__sys_connect_file")
int BPF_PROG(connect_result, struct file *file, void *address, int length, int flags, int ret)
{
	struct operation o;

	if (ret == -EACCES || ret == -ERESTARTNOINTR || operation_begin(&o, GRITH_OP_CONNECT) <= 0)
		return 0;
	o.d->error = ret;
	if (record_begin(&o, GRITH_KIND_RESULT, sizeof(struct grith_record)))
		record_send(&o, GRITH_KIND_RESULT);
	scratch_give(o.scratch);
	return 0;
}
