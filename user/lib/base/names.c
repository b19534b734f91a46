/* SPDX-License-Identifier: MPL-2.0 */
/* The words of the ABI's numbers are columns of grith_tables.h, where a hole does not compile. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

#include "cleanup.h"
#include "names.h"

static const char *const ops[] = { GRITH_OP_TABLE(WORD_AT) };
static const char *const verdicts[] = { GRITH_VERDICT_TABLE(WORD_AT) };
static const char *const modes[] = { GRITH_MODE_TABLE(WORD_AT) };
static const char *const kinds[] = { GRITH_KIND_TABLE(WORD_AT) };
static const char *const flags[] = { GRITH_RECORD_TABLE(WORD_AT) }; /* by the number of the bit */
static const char *const context_filters[] = { GRITH_CONTEXT_TABLE(WORD_AT) }; /* likewise */

#define ERRNO_END 256 /* beyond the last one with a name */

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

const char *words_name(const char *const *words, size_t count, unsigned int number)
{
	return number < count ? words[number] : NULL;
}

static bool is(const char *word, const char *bytes, size_t length)
{
	/* The first byte tells most words apart: this runs for every line of a log. */
	return word && length && word[0] == bytes[0] && strlen(word) == length &&
	       !memcmp(word, bytes, length);
}

int words_find(const char *const *words, size_t count, const char *word, size_t length)
{
	for (size_t i = 0; i < count; i++)
		if (is(words[i], word, length))
			return (int)i;
	return -EINVAL;
}

DEFINE_NAME(op, unsigned int, ops)
DEFINE_NAME(verdict, unsigned int, verdicts)
DEFINE_NAME(mode, unsigned int, modes)
DEFINE_NAME(record_kind, unsigned int, kinds)
DEFINE_NAME(family, unsigned int, families)
DEFINE_NAME(socket_type, unsigned int, types)
DEFINE_PARSE(verdict, enum grith_verdict, verdicts)
DEFINE_PARSE(mode, enum grith_mode, modes)

const char *record_flag_name(unsigned int flag)
{
	return WORDS_NAME(flags, __builtin_ctz(flag));
}

const char *context_filter_name(unsigned int filter)
{
	return WORDS_NAME(context_filters, __builtin_ctz(filter));
}

const char *errno_name(int error)
{
	return error > 0 ? strerrorname_np(error) : NULL;
}

enum grith_op op_find(const char *word, size_t length)
{
	int op = WORDS_FIND(ops, word, length);

	return op < 0 ? GRITH_OP_NONE : (enum grith_op)op;
}

int verdict_find(const char *word, size_t length)
{
	return WORDS_FIND(verdicts, word, length);
}

unsigned int record_flag_find(const char *word, size_t length)
{
	int bit = WORDS_FIND(flags, word, length);

	return bit < 0 ? 0 : 1u << bit;
}

int errno_find(const char *word, size_t length)
{
	if (is("EACCES", word, length)) /* nearly all of them */
		return EACCES;
	for (int error = 1; error < ERRNO_END; error++)
		if (is(errno_name(error), word, length))
			return error;
	return 0;
}

int op_parse(const char *name, enum grith_op *ret_op)
{
	enum grith_op op = op_find(name, strlen(name));

	if (op == GRITH_OP_NONE)
		return -EINVAL;
	*ret_op = op;
	return 0;
}
