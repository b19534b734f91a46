/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Packets that leave for elsewhere than the address they are sent to: source routes, given as an
 * option of the socket or with the data, and an IPsec policy of the socket's own, which may be a
 * tunnel. No address is decided there, so these are refused whatever the policy says: hardly a
 * program uses them.
 *
 * Left alone is what chooses an interface, a source address or a mark (SO_BINDTODEVICE, IP_PKTINFO,
 * IP_UNICAST_IF, IP_MULTICAST_IF, SO_MARK, IP_TRANSPARENT), for the packet still has the address
 * that was decided; multicast memberships, filters and UDP_ENCAP, which are for what arrives; the
 * other extension headers, which no router follows; TCP_REPAIR, because connect() is decided.
 *
 * And SCTP's lists of addresses, which may as well be given one by one.
 */
#include "hook.bpf.h"
#include "net.bpf.h"

#define SOL_IP 0
#define IP_OPTIONS 4
#define IP_RETOPTS 7 /* with data: the same */
#define IP_IPSEC_POLICY 16
#define IP_XFRM_POLICY 17

#define SOL_IPV6 41
#define IPV6_2292RTHDR 5
#define IPV6_2292PKTOPTIONS 6
#define IPV6_FLOWLABEL_MGR 32 /* a flow label brings options, a route among them */
#define IPV6_IPSEC_POLICY 34
#define IPV6_XFRM_POLICY 35
#define IPV6_RTHDR 57

#define SOL_SCTP 132
#define SCTP_DSTADDRV4 7 /* with data: more addresses to connect to */
#define SCTP_DSTADDRV6 8

static __always_inline bool option_is_route(int level, int option)
{
	if (level == SOL_IP)
		return option == IP_OPTIONS || option == IP_IPSEC_POLICY ||
		       option == IP_XFRM_POLICY;
	return level == SOL_IPV6 &&
	       (option == IPV6_2292PKTOPTIONS || option == IPV6_FLOWLABEL_MGR ||
		option == IPV6_IPSEC_POLICY || option == IPV6_XFRM_POLICY || option == IPV6_RTHDR);
}

static __always_inline bool message_is_route(int level, int type)
{
	switch (level) {
	case SOL_IP:
		return type == IP_RETOPTS;
	case SOL_IPV6:
		return type == IPV6_RTHDR || type == IPV6_2292RTHDR;
	case SOL_SCTP:
		return type == SCTP_DSTADDRV4 || type == SCTP_DSTADDRV6;
	default:
		return false;
	}
}

/* A send to an address that is not looked at: the record has none. */
static __noinline int send_elsewhere(struct sock *sk)
{
	struct endpoint e;
	struct operation o;
	int r;

	if (!endpoint_from_socket(&e, sk))
		return 0;
	r = operation_begin(&o, GRITH_OP_SEND);
	if (r <= 0)
		return r;
	o.d->outcome = OUTCOME_DENY;
	return net_finish(&o, &e);
}

/* Beside the program that looks after listeners. */
HOOK_SECTIONS("lsm/socket_setsockopt", "fmod_ret/security_socket_setsockopt",
	      socket_setsockopt_route, struct socket *sock, int level, int option)
{
	if (!option_is_route(level, option) || !session_of_current())
		return 0;
	return send_elsewhere(sock->sk);
}

struct control_message { /* struct cmsghdr of 64 bits; those of 32-bit calls are made into it */
	__u64 length;
	__s32 level, type;
};

struct control_walk {
	const void *at;
	__u64 left;
	bool is_route;
};

#define CONTROLS_MAX (1 << 16) /* the kernel takes no more than net.core.optmem_max bytes */

/* One message; 1 after the last. Fail closed: what cannot be read, or has no sound length. */
static long control_next(__u32 i, struct control_walk *w)
{
	struct control_message c;

	if (w->left < sizeof(c)) {
		w->left = 0;
		return 1;
	}
	if (bpf_probe_read_kernel(&c, sizeof(c), w->at) || c.length < sizeof(c) ||
	    c.length > w->left || message_is_route(c.level, c.type)) {
		w->is_route = true;
		return 1;
	}
	c.length = (c.length + 7) & ~7ull;
	if (c.length >= w->left) {
		w->left = 0;
		return 1;
	}
	w->left -= c.length;
	w->at += c.length;
	return 0;
}

/* Beside the program for destinations. The messages are the kernel's copy by now. */
HOOK_SECTIONS("lsm/socket_sendmsg", "fmod_ret/security_socket_sendmsg", socket_sendmsg_options,
	      struct socket *sock, struct msghdr *message, int size)
{
	struct sock *sk = sock->sk;
	struct control_walk w = {
		.at = message->msg_control,
		.left = message->msg_controllen,
	};
	__u16 family;

	if (!w.left || !sk || !session_of_current())
		return 0;
	family = sk->__sk_common.skc_family;
	if (family != AF_INET && family != AF_INET6)
		return 0;
	bpf_loop(CONTROLS_MAX, control_next, &w, 0);
	return w.is_route || w.left ? send_elsewhere(sk) : 0;
}

#define SCTP_BINDX_REMOVE 101
#define SCTP_FROM_PEER 0xc000 /* and above: asked for by the peer's packets, in an interrupt */

/*
 * connectx, bindx, and other options with lists of addresses: all but those that only give one up.
 * connect(), bind() and sendto() with one address are decided as such.
 */
HOOK(sctp_bind_connect, struct sock *sk, int option, struct sockaddr *address, int length)
{
	if (option == SCTP_BINDX_REMOVE || option >= SCTP_FROM_PEER || !session_of_current())
		return 0;
	return send_elsewhere(sk);
}
