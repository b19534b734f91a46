/* SPDX-License-Identifier: MPL-2.0 OR GPL-2.0-only */
/*
 * A question to the policy in the kernel without an operation, for tests. The path lies at the end
 * of the first scratch's space (see maps.bpf.h); the answer, a struct grith_outcome, is written to
 * the beginning of it. Both sides include this file after grith_abi.h.
 */
#ifndef GRITH_ASK_H
#define GRITH_ASK_H

enum grith_ask_kind {
	GRITH_ASK_PATH = 0, /* column: enum grith_op_class; length: of the path */
	GRITH_ASK_UNKNOWN, /* column: enum grith_op_class; for a path that could not be built */
	GRITH_ASK_NET, /* column: enum grith_net_op; extra: port; address */
	GRITH_ASK_SOCKET, /* column: family; extra: 1 for raw and packet sockets */
	GRITH_ASK_TOUCH,
	GRITH_ASK_SIGNAL,
	GRITH_ASK_RING,
};

struct grith_ask { /* the arguments of a raw tracepoint */
	__u64 session; /* key in the map of sessions */
	__u64 kind; /* enum grith_ask_kind */
	__u64 column;
	__u64 extra;
	__u64 length;
	__u64 address[2]; /* as in struct grith_net_key */
};

#endif
