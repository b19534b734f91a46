/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Tables of words. A table that has a hole where the ABI got a new number does not compile.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "cleanup.h"
#include "names.h"

static const char *const ops[] = {
	[GRITH_OP_NONE] = "none",	  [GRITH_OP_READ] = "read",
	[GRITH_OP_WRITE] = "write",	  [GRITH_OP_CREATE] = "create",
	[GRITH_OP_DELETE] = "delete",	  [GRITH_OP_RENAME] = "rename",
	[GRITH_OP_LINK] = "link",	  [GRITH_OP_TRUNCATE] = "truncate",
	[GRITH_OP_METADATA] = "metadata", [GRITH_OP_STAT] = "stat",
	[GRITH_OP_OPENDIR] = "opendir",	  [GRITH_OP_LIST] = "list",
	[GRITH_OP_RECEIVE] = "receive",	  [GRITH_OP_EXEC] = "exec",
	[GRITH_OP_MAP] = "map",		  [GRITH_OP_SOCKET] = "socket",
	[GRITH_OP_CONNECT] = "connect",	  [GRITH_OP_BIND] = "bind",
	[GRITH_OP_LISTEN] = "listen",	  [GRITH_OP_SEND] = "send",
	[GRITH_OP_RING] = "ring",	  [GRITH_OP_PTRACE_ACCESS] = "touch",
	[GRITH_OP_SIGNAL] = "signal",	  [GRITH_OP_EXIT] = "exit",
};
_Static_assert(ARRAY_SIZE(ops) == GRITH_OPS, "a word for every operation");

static const char *const verdicts[] = {
	[GRITH_ALLOW] = "allow",
	[GRITH_HOLD] = "hold",
	[GRITH_DENY] = "deny",
	[GRITH_HIDE] = "hide",
};
_Static_assert(ARRAY_SIZE(verdicts) == GRITH_VERDICTS, "a word for every verdict");

static const char *const modes[] = {
	[GRITH_ENFORCE] = "enforce",
	[GRITH_OBSERVE] = "observe",
};

static const char *const counters[] = {
	[GRITH_COUNT_LOST] = "lost_other",
	[GRITH_COUNT_LOST + GRITH_KIND_PATH] = "lost_path",
	[GRITH_COUNT_LOST + GRITH_KIND_EXEC] = "lost_exec",
	[GRITH_COUNT_LOST + GRITH_KIND_ARGV] = "lost_argv",
	[GRITH_COUNT_LOST + GRITH_KIND_NET] = "lost_net",
	[GRITH_COUNT_LOST + GRITH_KIND_PROCESS] = "lost_process",
	[GRITH_COUNT_LOST + GRITH_KIND_RING] = "lost_ring",
	[GRITH_COUNT_LOST + GRITH_KIND_EXIT] = "lost_exit",
	[GRITH_COUNT_LOST + GRITH_KIND_RESULT] = "lost_result",
	[GRITH_COUNT_UNKNOWN] = "unknown_paths",
	[GRITH_COUNT_NO_IMAGE] = "no_image",
	[GRITH_COUNT_NO_SCRATCH] = "no_scratch",
	[GRITH_COUNT_NO_RANGE] = "no_range",
	[GRITH_COUNT_NO_SIGNAL] = "no_signal",
	[GRITH_COUNT_NO_HOLD] = "no_hold",
};
_Static_assert(ARRAY_SIZE(counters) == GRITH_COUNTERS, "a word for every counter");

static const struct {
	unsigned int flag;
	const char *name;
} flags[] = {
	{ GRITH_RECORD_URING, "uring" },	 { GRITH_RECORD_OBSERVED, "observed" },
	{ GRITH_RECORD_UNKNOWN, "unknown" },	 { GRITH_RECORD_DIRECTORY, "directory" },
	{ GRITH_RECORD_TRUNCATED, "truncated" }, { GRITH_RECORD_HOLD_REFUSED, "hold_refused" },
	{ GRITH_RECORD_CREATED, "created" },	 { GRITH_RECORD_READ_TOO, "read_too" },
	{ GRITH_RECORD_ABSTRACT, "abstract" },	 { GRITH_RECORD_UNIX, "unix" },
	{ GRITH_RECORD_HELD, "held" },		 { GRITH_RECORD_ANSWERED, "answered" },
	{ GRITH_RECORD_INSPECT_ARGV, "judged" },
};

/* Those that a process can ask for without being told that they do not exist. */
static const char *const families[] = {
	[AF_UNSPEC] = "unspec",
	[AF_UNIX] = "unix",
	[AF_INET] = "inet",
	[AF_AX25] = "ax25",
	[AF_IPX] = "ipx",
	[AF_APPLETALK] = "appletalk",
	[AF_NETROM] = "netrom",
	[AF_BRIDGE] = "bridge",
	[AF_ATMPVC] = "atmpvc",
	[AF_X25] = "x25",
	[AF_INET6] = "inet6",
	[AF_ROSE] = "rose",
	[AF_KEY] = "key",
	[AF_NETLINK] = "netlink",
	[AF_PACKET] = "packet",
	[AF_RDS] = "rds",
	[AF_PPPOX] = "pppox",
	[AF_LLC] = "llc",
	[AF_IB] = "ib",
	[AF_MPLS] = "mpls",
	[AF_CAN] = "can",
	[AF_TIPC] = "tipc",
	[AF_BLUETOOTH] = "bluetooth",
	[AF_RXRPC] = "rxrpc",
	[AF_PHONET] = "phonet",
	[AF_IEEE802154] = "ieee802154",
	[AF_CAIF] = "caif",
	[AF_ALG] = "alg",
	[AF_NFC] = "nfc",
	[AF_VSOCK] = "vsock",
	[AF_KCM] = "kcm",
	[AF_QIPCRTR] = "qipcrtr",
	[AF_SMC] = "smc",
	[AF_XDP] = "xdp",
};

static const char *const types[] = {
	[SOCK_STREAM] = "stream", [SOCK_DGRAM] = "dgram",	  [SOCK_RAW] = "raw",
	[SOCK_RDM] = "rdm",	  [SOCK_SEQPACKET] = "seqpacket", [SOCK_DCCP] = "dccp",
	[SOCK_PACKET] = "packet",
};

static const char *look_up(const char *const *table, size_t count, unsigned int value)
{
	return value < count ? table[value] : NULL;
}

static int find(const char *const *table, size_t count, const char *name, unsigned int *ret_value)
{
	for (size_t i = 0; i < count; i++)
		if (table[i] && !strcmp(table[i], name)) {
			*ret_value = i;
			return 0;
		}
	return -EINVAL;
}

const char *op_name(unsigned int op)
{
	return look_up(ops, ARRAY_SIZE(ops), op);
}

const char *verdict_name(unsigned int verdict)
{
	return look_up(verdicts, ARRAY_SIZE(verdicts), verdict);
}

const char *mode_name(unsigned int mode)
{
	return look_up(modes, ARRAY_SIZE(modes), mode);
}

const char *counter_name(unsigned int counter)
{
	return look_up(counters, ARRAY_SIZE(counters), counter);
}

const char *record_flag_name(unsigned int flag)
{
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		if (flags[i].flag == flag)
			return flags[i].name;
	return NULL;
}

const char *family_name(unsigned int family)
{
	return look_up(families, ARRAY_SIZE(families), family);
}

const char *socket_type_name(unsigned int type)
{
	return look_up(types, ARRAY_SIZE(types), type);
}

const char *errno_name(int error)
{
	return error > 0 ? strerrorname_np(error) : NULL;
}

int op_parse(const char *name, enum grith_op *ret_op)
{
	unsigned int value;
	int r = find(ops, ARRAY_SIZE(ops), name, &value);

	if (r < 0 || value == GRITH_OP_NONE)
		return -EINVAL;
	*ret_op = value;
	return 0;
}

int verdict_parse(const char *name, enum grith_verdict *ret_verdict)
{
	unsigned int value;
	int r = find(verdicts, ARRAY_SIZE(verdicts), name, &value);

	if (r < 0)
		return r;
	*ret_verdict = value;
	return 0;
}

int mode_parse(const char *name, enum grith_mode *ret_mode)
{
	unsigned int value;
	int r = find(modes, ARRAY_SIZE(modes), name, &value);

	if (r < 0)
		return r;
	*ret_mode = value;
	return 0;
}
