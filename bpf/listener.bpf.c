/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Which sockets a session listens on, by where they can be reached: noted once they listen, and
 * forgotten when they stop. Only those count that nobody else can stand beside or in front of:
 * while such a socket listens, the kernel lets no other be bound to its port, neither on the same
 * address nor on one that its own covers. SO_REUSEPORT and listening on one device alone are the
 * exceptions.
 */
#include "hook.bpf.h"
#include "net.bpf.h"

#define SOL_SOCKET 1
#define SO_REUSEPORT 15
#define SO_BINDTODEVICE 25
#define SO_BINDTOIFINDEX 62
#define TCP_LISTEN 10

static __always_inline bool is_any(const struct endpoint *e)
{
	const __u64 *halves = (const __u64 *)e->address;

	return !halves[0] && !halves[1];
}

static __always_inline struct listener_key listener_key_of(const struct endpoint *e)
{
	struct listener_key key = { .net = e->net, .port = e->port };

	__builtin_memcpy(key.address, e->address, sizeof(key.address));
	return key;
}

/* A full map: the session's own counts as another's. */
static __noinline int listener_note(const struct endpoint *e, struct sock *sk, __u64 session)
{
	const struct listener listener = { .session = session, .sock = (__u64)sk };
	struct listener_key key = listener_key_of(e);

	bpf_map_update_elem(&own_listeners, &key, &listener, BPF_ANY);
	return 0;
}

/* Another socket may have been noted there meanwhile. */
static __noinline int listener_forget(const struct endpoint *e, struct sock *sk)
{
	struct listener_key key = listener_key_of(e);
	const struct listener *found = bpf_map_lookup_elem(&own_listeners, &key);

	if (found && found->sock == (__u64)sk)
		bpf_map_delete_elem(&own_listeners, &key);
	return 0;
}

/* "Any" of IPv6 is any of IPv4 as well, unless the socket is for the former alone. */
static __always_inline void set_any_v4(struct endpoint *e)
{
	e->address[10] = e->address[11] = 0xff;
}

SEC("?fexit/inet_csk_listen_start")
int BPF_PROG(inet_csk_listen_start, struct sock *sk, int ret)
{
	__u64 session = session_of_current();
	struct sock_common *common = &sk->__sk_common;
	struct endpoint e;

	if (ret || !session || session_of_socket(sk) != session ||
	    BPF_CORE_READ_BITFIELD(common, skc_reuseport) || common->skc_bound_dev_if ||
	    !endpoint_of_socket(&e, sk, false))
		return 0;
	listener_note(&e, sk, session);
	if (is_any(&e) && !BPF_CORE_READ_BITFIELD(common, skc_ipv6only)) {
		set_any_v4(&e);
		listener_note(&e, sk, session);
	}
	return 0;
}

static __noinline int listener_end(struct sock *sk)
{
	struct endpoint e;

	if (!endpoint_of_socket(&e, sk, false))
		return 0;
	listener_forget(&e, sk);
	if (is_any(&e)) {
		set_any_v4(&e);
		listener_forget(&e, sk);
	}
	return 0;
}

/* The port may be free already, but for what a close does within this very call. */
SEC("?fentry/inet_csk_listen_stop")
int BPF_PROG(inet_csk_listen_stop, struct sock *sk)
{
	return listener_end(sk);
}

/* One that others may stand beside from now on. */
HOOK(socket_setsockopt, struct socket *sock, int level, int option)
{
	struct sock *sk = sock->sk;

	if (!session_of_current() || level != SOL_SOCKET || !sk)
		return 0;
	if (option == SO_REUSEPORT || option == SO_BINDTODEVICE || option == SO_BINDTOIFINDEX)
		listener_end(sk);
	return 0;
}
