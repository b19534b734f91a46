/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Operations on addresses, whole: from what the kernel was given to a decision and a record.
 */
#pragma once

#include <bpf/bpf_endian.h>
#include "decide.bpf.h"
#include "record.bpf.h"

#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 10
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOCK_RAW 3
#define SOCK_PACKET 10
#define IPPROTO_ICMP 1
#define IPPROTO_TCP 6
#define IPPROTO_UDP 17
#define IPPROTO_ICMPV6 58
#define IPPROTO_MPTCP 262

/*
 * What the policy calls `raw`: sockets below the transport, and of the internet families every
 * transport but TCP, MPTCP, UDP and the echo of ICMP. SCTP, DCCP and their like have addresses in
 * options and control messages, which a rule for connect would not be asked about.
 */
static __always_inline bool socket_is_raw(int family, int type, int protocol)
{
	if (type == SOCK_RAW || type == SOCK_PACKET)
		return true;
	if (family != AF_INET && family != AF_INET6)
		return false;
	if (type == SOCK_STREAM)
		return protocol && protocol != IPPROTO_TCP && protocol != IPPROTO_MPTCP;
	return type != SOCK_DGRAM || (protocol && protocol != IPPROTO_UDP &&
				      protocol != IPPROTO_ICMP && protocol != IPPROTO_ICMPV6);
}

/* The layouts of userspace addresses, fixed for ever; big enough for either family. */
struct inet_address {
	__u16 family;
	__be16 port;
	union {
		__u8 v4[4];
		struct {
			__be32 flow;
			__u8 address[16];
		} v6;
	};
};

struct endpoint {
	__u16 family; /* of the socket */
	__u16 type;
	__u16 protocol;
	__u16 port; /* host byte order */
	__u8 address[16]; /* IPv4 as ::ffff:a.b.c.d */
	__u16 address_family; /* as given in the address */
	__u64 net; /* address of the network namespace */
};

static __always_inline void endpoint_set_v4(struct endpoint *e, const void *address)
{
	e->address[10] = e->address[11] = 0xff;
	__builtin_memcpy(e->address + 12, address, 4);
}

/* true: the socket is of IPv4 or IPv6; the rest of *e is to be filled. */
static __always_inline bool endpoint_from_socket(struct endpoint *e, struct sock *sk)
{
	if (!sk) /* the verifier's question: a socket in use has one */
		return false;
	*e = (struct endpoint) {
		.family = sk->__sk_common.skc_family,
		.type = sk->sk_type,
		.protocol = sk->sk_protocol,
		.net = (__u64)sk->__sk_common.skc_net.net,
	};
	return e->family == AF_INET || e->family == AF_INET6;
}

/*
 * Where an address given with an operation points to. false: nothing to decide here, because the
 * socket has no such addresses or the kernel will refuse one that is this short.
 */
static __always_inline bool endpoint_from_address(struct endpoint *e, struct sock *sk,
						  const void *address, int length)
{
	struct inet_address a = {};

	if (!endpoint_from_socket(e, sk) || length < (int)sizeof(a.family))
		return false;
	if (length > (int)sizeof(a))
		length = sizeof(a);
	if (bpf_probe_read_kernel(&a, length, address))
		return false;
	e->address_family = a.family;
	e->port = bpf_ntohs(a.port);
	if (e->family == AF_INET || a.family == AF_INET)
		endpoint_set_v4(e, a.v4);
	else
		__builtin_memcpy(e->address, a.v6.address, sizeof(e->address));
	return true;
}

/* The socket's own address, or its peer's. false: it has none such, or is not connected. */
static __always_inline bool endpoint_of_socket(struct endpoint *e, struct sock *sk, bool peer)
{
	struct sock_common *common = &sk->__sk_common;
	__be32 v4;

	if (!endpoint_from_socket(e, sk))
		return false;
	v4 = peer ? common->skc_daddr : common->skc_rcv_saddr;
	e->port = peer ? bpf_ntohs(common->skc_dport) : common->skc_num;
	if (e->family == AF_INET)
		endpoint_set_v4(e, &v4);
	else
		__builtin_memcpy(e->address,
				 peer ? &common->skc_v6_daddr : &common->skc_v6_rcv_saddr,
				 sizeof(e->address));
	return !peer || e->port;
}

/* A connection to "any" address is one to this machine: decide and record it as that. */
static __always_inline void endpoint_any_is_loopback(struct endpoint *e)
{
	const __u64 *halves = (const __u64 *)e->address;
	const __u32 *words = (const __u32 *)e->address;

	if (!halves[0] && !halves[1])
		e->address[15] = 1;
	if (!halves[0] && words[2] == bpf_htonl(0xffff) && !words[3]) {
		e->address[12] = 127;
		e->address[15] = 1;
	}
}

/*
 * The outcome of an address and port, see struct grith_net_value. An image has an entry
 * for ::/0 and ranges without gaps, so that no look-up misses in a sound one; where one does, the
 * outcome is deny (fail closed).
 */
static __noinline int net_lookup(struct operation *o, const struct endpoint *e,
				 enum grith_net_op column)
{
	const __u32 *image = image_of_session(o->session);
	struct grith_net_key key = { .prefixlen = 32 + 128, .image = o->session->image };
	const struct grith_net_value *value;
	__u32 i, at;

	o->d->outcome = OUTCOME_DENY;
	if (!image)
		return 0;
	__builtin_memcpy(key.address, e->address, sizeof(key.address));
	value = bpf_map_lookup_elem(&nets, &key);
	if (!value) {
		count(GRITH_COUNT_NO_RANGE);
		return 0;
	}
	at = value->ranges;
	for (i = 0; i < GRITH_PORT_RANGES; i++, at += 3) {
		if (i >= value->count)
			break;
		if (e->port >= image_half(image, 2 * at) &&
		    e->port <= image_half(image, 2 * at + 1)) {
			o->d->outcome =
				image_outcome(image, image_half(image, 2 * at + 2 + column));
			return 0;
		}
	}
	count(GRITH_COUNT_NO_RANGE);
	return 0;
}

/* Another machine's: only what goes there can carry secrets away. */
static __always_inline bool is_remote(const struct endpoint *e)
{
	const __u64 *halves = (const __u64 *)e->address;
	const __u32 *words = (const __u32 *)e->address;

	if (!halves[0] && words[2] == bpf_htonl(0xffff))
		return e->address[12] != 127;
	return halves[0] || halves[1] != bpf_cpu_to_be64(1);
}

/*
 * Whether the session itself listens there: what goes to its own server stays in it. A listener
 * whose address and port nobody else can share (listener.bpf.c) is the one that is reached.
 */
static __noinline int is_own_listener(const struct endpoint *e, __u64 session)
{
	struct listener_key key = { .net = e->net, .port = e->port };
	__u64 *halves = (__u64 *)key.address;
	const struct listener *found;

	if (e->protocol != IPPROTO_TCP && e->protocol != IPPROTO_MPTCP)
		return false;
	__builtin_memcpy(key.address, e->address, sizeof(key.address));
	found = bpf_map_lookup_elem(&own_listeners, &key);
	if (!found) { /* any address of the family */
		halves[1] =
			halves[0] || (__u32)halves[1] != bpf_htonl(0xffff) ? 0 : (__u32)halves[1];
		found = bpf_map_lookup_elem(&own_listeners, &key);
	}
	return found && found->session == session;
}

/* A hash; not 0. */
static __always_inline __u32 mix(__u64 value)
{
	value ^= value >> 32;
	value *= GOLDEN_RATIO;
	return (value >> 32) | 1;
}

/* Verdict and errno, the address being what the operation is compared by. */
static __always_inline int net_decide(struct operation *o, const struct endpoint *e)
{
	const __u64 *halves = (const __u64 *)e->address;
	__u64 *text = text_word(o->scratch, SCRATCH_SPACE - sizeof(e->address));
	int error;

	text[0] = halves[0];
	text[1] = halves[1];
	o->d->entity = mix(halves[0] ^ halves[1]);
	if ((o->d->op == GRITH_OP_CONNECT || o->d->op == GRITH_OP_SEND) && !is_remote(e)) {
		o->d->local = true;
		if (is_own_listener(e, o->d->session_id)) {
			o->d->outcome.flags |= GRITH_OUTCOME_ALWAYS;
			o->d->flags |= GRITH_RECORD_OWN;
		}
	}
	o->d->at = SCRATCH_SPACE - sizeof(e->address);
	o->d->request.net.family = e->family;
	o->d->request.net.protocol = e->protocol;
	o->d->request.net.port = e->port;
	o->d->request.net.type = e->type;
	error = operation_decide(o);
	o->d->at = SCRATCH_SPACE; /* the record has it in its fixed part */
	return error;
}

/* Records an operation on an address and ends it. */
static __always_inline int net_finish(struct operation *o, const struct endpoint *e)
{
	struct grith_net_record *record = NULL;
	int error = net_decide(o, e);

	if (!o->d->recorded)
		record = record_begin(o, GRITH_KIND_NET, sizeof(*record));
	if (record) {
		record->family = e->family;
		record->type = e->type;
		record->protocol = e->protocol;
		record->port = e->port;
		__builtin_memcpy(record->address, e->address, sizeof(record->address));
		record_send(o, GRITH_KIND_NET);
	}
	scratch_give(o->scratch);
	return error;
}

static __always_inline int net_operation(enum grith_op op, enum grith_net_op column,
					 const struct endpoint *e)
{
	struct operation o;
	int r = operation_begin(&o, op);

	if (r <= 0)
		return r;
	net_lookup(&o, e, column);
	return net_finish(&o, e);
}
