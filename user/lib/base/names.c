/* SPDX-License-Identifier: MPL-2.0 */
/* The words of the ABI's numbers are columns of grith_tables.h, where a hole does not compile. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "cleanup.h"
#include "names.h"

#define WORD(name, number, word, ...) [number] = (word),

static const char *const ops[] = { GRITH_OP_TABLE(WORD) };
static const char *const verdicts[] = { GRITH_VERDICT_TABLE(WORD) };
static const char *const modes[] = { GRITH_MODE_TABLE(WORD) };
static const char *const flags[] = { GRITH_RECORD_TABLE(WORD) }; /* by the number of the bit */
static const char *const context_filters[] = { GRITH_CONTEXT_TABLE(WORD) }; /* likewise */

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

/* `flag` has one bit. */
const char *record_flag_name(unsigned int flag)
{
	return look_up(flags, ARRAY_SIZE(flags), __builtin_ctz(flag));
}

const char *context_filter_name(unsigned int filter)
{
	return look_up(context_filters, ARRAY_SIZE(context_filters), __builtin_ctz(filter));
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
