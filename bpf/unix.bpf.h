/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * Operations on unix sockets, whole: from the peer to a decision and a record. The object is the
 * peer's name: a path in the file system, or "@name". A peer without a name, such as the other end
 * of a socketpair, is allowed: its descriptor was inherited or received, which was decided then.
 *
 * A peer that was made in the session is the session's own, and no rule decides on it: whatever its
 * name is, nobody outside is reached through it. Its name is recorded.
 */
#pragma once

#include "object.bpf.h"

#define AF_UNIX 1

/*
 * An operation on an abstract name, which is given without the NUL that marks it as one; there may
 * be more of them in it.
 */
static __noinline int unix_abstract(enum grith_op op, enum grith_op_class op_class,
				    const void *name, __u32 length, bool own)
{
	struct operation o;
	const __u32 *image;
	int r = operation_begin(&o, op), at;

	if (r <= 0)
		return r;
	o.d->flags |= GRITH_RECORD_UNIX | GRITH_RECORD_ABSTRACT;
	o.d->outcome = OUTCOME_DENY;
	image = image_of_session(o.session);
	at = text_prepend_marked(o.scratch, SCRATCH_SPACE, '@', name, length);
	if (at >= 0)
		o.d->at = at;
	if (at >= 0 && image)
		o.d->outcome = row_outcome(image, image_row(image, o.scratch, at, SCRATCH_SPACE),
					   op_class);
	if (own)
		outcome_set_own(&o);
	return path_finish(&o, NULL, 0, SCRATCH_SPACE);
}

/* An operation on a socket that is in the file system. */
static __noinline int unix_path(enum grith_op op, struct unix_sock *peer, bool own)
{
	struct operation o;
	int r = operation_begin(&o, op);

	if (r <= 0)
		return r;
	o.d->flags = GRITH_RECORD_UNIX;
	if (!path_lookup(&o, peer->path.mnt, peer->path.dentry, ONE_CLASS(CONNECT)))
		return operation_drop(&o);
	if (own)
		outcome_set_own(&o);
	return path_finish(&o, peer->path.dentry, 0, SCRATCH_SPACE);
}

/* The socket that is connected or sent to, with whatever name it has. */
static __always_inline int unix_peer(enum grith_op op, struct sock *sk)
{
	__u64 id = session_of_current();
	struct unix_address *address;
	struct unix_sock *peer;
	int length;
	bool own;

	if (!sk || !id)
		return 0;
	peer = bpf_skc_to_unix_sock(sk);
	if (!peer)
		return 0;
	own = session_of_socket(sk) == id;
	if (peer->path.dentry)
		return unix_path(op, peer, own);
	address = peer->addr;
	length = address ? address->len - (int)sizeof(__u16) - 1 : -1;
	if (length < 0)
		return 0; /* no name */
	return unix_abstract(op, GRITH_OP_CLASS_CONNECT,
			     (const char *)address +
				     bpf_core_field_offset(struct unix_address, name) +
				     sizeof(__u16) + 1,
			     length, own);
}
