/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Internet sockets, and sockets of any family being made.
 */
#include <sys/uio.h>

#include "lib/base/base.h"
#include "address.h"
#include "probe.h"

static const struct {
	const char *name;
	int value;
} families[] = {
	{ "inet", AF_INET },   { "inet6", AF_INET6 }, { "unix", AF_UNIX }, { "netlink", AF_NETLINK },
	{ "packet", AF_PACKET }, { "alg", AF_ALG },	{ "vsock", AF_VSOCK },
}, types[] = {
	{ "stream", SOCK_STREAM },
	{ "dgram", SOCK_DGRAM },
	{ "raw", SOCK_RAW },
	{ "seqpacket", SOCK_SEQPACKET },
};

static int run_socket(int argc, char **argv)
{
	int family = -1, type = -1;

	(void)argc;
	for (size_t i = 0; i < ARRAY_SIZE(families); i++)
		if (strcmp(families[i].name, argv[1]) == 0)
			family = families[i].value;
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (strcmp(types[i].name, argv[2]) == 0)
			type = types[i].value;
	if (family < 0 || type < 0)
		return untried("unknown family or type: %s %s", argv[1], argv[2]);
	return outcome_fd(socket(family, type | SOCK_CLOEXEC,
				 family == AF_INET && type == SOCK_RAW ? IPPROTO_ICMP : 0));
}

/* A socket for the address argv[1] argv[2]. A socket that cannot be made is not our operation. */
static int prepare(char **argv, int type, struct address *ret_address, int *ret_fd)
{
	int r, fd;

	r = parse_inet(argv[1], argv[2], ret_address);
	if (r)
		return r;
	fd = socket(ret_address->any.sa_family, type | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return untried("socket: %s", strerror(errno));
	*ret_fd = fd;
	return 0;
}

static int connect_by(char **argv, int type)
{
	OWNED_FD int fd = -1;
	struct address a;
	int r = prepare(argv, type, &a, &fd);

	return r ? r : outcome(connect(fd, &a.any, a.length));
}

static int run_connect(int argc, char **argv)
{
	(void)argc;
	return connect_by(argv, SOCK_STREAM);
}

static int run_udp_connect(int argc, char **argv)
{
	(void)argc;
	return connect_by(argv, SOCK_DGRAM);
}

/* The data of the first packet go out with the connection: no connect() is called. */
static int run_fastopen(int argc, char **argv)
{
	OWNED_FD int fd = -1;
	struct address a;
	int r = prepare(argv, SOCK_STREAM, &a, &fd);

	(void)argc;
	return r ? r : outcome(sendto(fd, "x", 1, MSG_FASTOPEN | MSG_NOSIGNAL, &a.any, a.length));
}

static int run_bind(int argc, char **argv)
{
	OWNED_FD int fd = -1;
	struct address a;
	int r = prepare(argv, SOCK_STREAM, &a, &fd);

	(void)argc;
	return r ? r : outcome(bind(fd, &a.any, a.length));
}

static int run_listen(int argc, char **argv)
{
	OWNED_FD int fd = -1;
	struct address a;
	int one = 1, r = prepare(argv, SOCK_STREAM, &a, &fd);

	(void)argc;
	if (r)
		return r;
	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) < 0 ||
	    bind(fd, &a.any, a.length) < 0)
		return untried("bind: %s", strerror(errno));
	return outcome(listen(fd, 1));
}

/*
 * Listens there, connects to CONNECT-ADDRESS at the same port and sends. With "share" or "close",
 * after the listener lets others share its port, or is closed.
 */
static int run_tcp_own(int argc, char **argv)
{
	OWNED_FD int server = -1;
	OWNED_FD int fd = -1;
	struct address a;
	int one = 1, r = prepare(argv, SOCK_STREAM, &a, &server);

	if (r)
		return r;
	if (setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) < 0 ||
	    bind(server, &a.any, a.length) < 0 || listen(server, 1) < 0)
		return untried("listen: %s", strerror(errno));
	if (argc > 4 && !strcmp(argv[4], "share") &&
	    setsockopt(server, SOL_SOCKET, SO_REUSEPORT, &one, sizeof(one)) < 0)
		return untried("SO_REUSEPORT: %s", strerror(errno));
	if (argc > 4 && !strcmp(argv[4], "close")) {
		close(server);
		server = -1;
	}
	r = prepare((char *[]) { argv[0], argv[3], argv[2] }, SOCK_STREAM, &a, &fd);
	if (!r)
		r = outcome(connect(fd, &a.any, a.length));
	return r ? r : outcome(send(fd, "x", 1, MSG_NOSIGNAL));
}

/* The kernel then chooses the port, and any address will do. */
static int run_listen_unbound(int argc, char **argv)
{
	OWNED_FD int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)argc;
	(void)argv;
	if (fd < 0)
		return untried("socket: %s", strerror(errno));
	return outcome(listen(fd, 1));
}

static int run_sendto(int argc, char **argv)
{
	OWNED_FD int fd = -1;
	struct address a;
	int r = prepare(argv, SOCK_DGRAM, &a, &fd);

	(void)argc;
	return r ? r : outcome(sendto(fd, "x", 1, 0, &a.any, a.length));
}

/* An address without a family, which an IPv4 socket takes for its own. */
static int run_sendto_unspec(int argc, char **argv)
{
	OWNED_FD int fd = -1;
	struct address a;
	int r = prepare(argv, SOCK_DGRAM, &a, &fd);

	(void)argc;
	if (r)
		return r;
	a.any.sa_family = AF_UNSPEC;
	return outcome(sendto(fd, "x", 1, 0, &a.any, a.length));
}

/* Connected to one address, sending to another. */
static int run_sendto_connected(int argc, char **argv)
{
	OWNED_FD int fd = -1;
	struct address a, other;
	int r = prepare(argv, SOCK_DGRAM, &a, &fd);

	(void)argc;
	if (!r)
		r = parse_inet(argv[3], argv[4], &other);
	if (r)
		return r;
	if (connect(fd, &a.any, a.length) < 0)
		return untried("connect: %s", strerror(errno));
	return outcome(sendto(fd, "x", 1, 0, &other.any, other.length));
}

static int run_sendmsg(int argc, char **argv)
{
	OWNED_FD int fd = -1;
	struct iovec data = { (char[]) { 'x' }, 1 };
	struct msghdr message = { .msg_iov = &data, .msg_iovlen = 1 };
	struct address a;
	int r = prepare(argv, SOCK_DGRAM, &a, &fd);

	(void)argc;
	if (r)
		return r;
	message.msg_name = &a.any;
	message.msg_namelen = a.length;
	return outcome(sendmsg(fd, &message, 0));
}

/*
 * Two messages in one call, the second to the address that matters. The call reports only how many
 * went out; the errno of the second comes with the next call.
 */
static int run_sendmmsg(int argc, char **argv)
{
	OWNED_FD int fd = -1;
	struct iovec data = { (char[]) { 'x' }, 1 };
	struct mmsghdr messages[2] = { 0 };
	struct address first, second;
	int sent, r = prepare(argv, SOCK_DGRAM, &first, &fd);

	(void)argc;
	if (!r)
		r = parse_inet(argv[3], argv[4], &second);
	if (r)
		return r;
	messages[0].msg_hdr = (struct msghdr) {
		.msg_name = &first, .msg_namelen = first.length, .msg_iov = &data, .msg_iovlen = 1
	};
	messages[1].msg_hdr = messages[0].msg_hdr;
	messages[1].msg_hdr.msg_name = &second;
	messages[1].msg_hdr.msg_namelen = second.length;
	sent = sendmmsg(fd, messages, 2, 0);
	if (sent < 0)
		return untried("the first message: %s", strerror(errno));
	return sent == 2 ? 0 : outcome(sendmmsg(fd, messages + 1, 1, 0));
}

const struct verb net_verbs[] = {
	{ "socket", "FAMILY TYPE", 2, 2, run_socket },
	{ "connect", "ADDRESS PORT", 2, 2, run_connect },
	{ "udp-connect", "ADDRESS PORT", 2, 2, run_udp_connect },
	{ "fastopen", "ADDRESS PORT", 2, 2, run_fastopen },
	{ "bind", "ADDRESS PORT", 2, 2, run_bind },
	{ "listen", "ADDRESS PORT", 2, 2, run_listen },
	{ "tcp-own", "ADDRESS PORT CONNECT-ADDRESS [share|close]", 3, 4, run_tcp_own },
	{ "listen-unbound", "", 0, 0, run_listen_unbound },
	{ "sendto", "ADDRESS PORT", 2, 2, run_sendto },
	{ "sendto-unspec", "ADDRESS PORT", 2, 2, run_sendto_unspec },
	{ "sendto-connected", "ADDRESS PORT OTHER-ADDRESS PORT", 4, 4, run_sendto_connected },
	{ "sendmsg", "ADDRESS PORT", 2, 2, run_sendmsg },
	{ "sendmmsg", "ADDRESS PORT OTHER-ADDRESS PORT", 4, 4, run_sendmmsg },
	{ 0 },
};
