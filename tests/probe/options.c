/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Packets that go elsewhere than where they are sent: options of a socket, and of one message.
 */
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/base.h"
#include "probe.h"

/* linux/in6.h cannot be included besides netinet/in.h */
#define FLOWLABEL_MGR 32

struct flow_label_request {
	struct in6_addr address;
	uint32_t label;
	uint8_t action, share;
	uint16_t flags;
	uint16_t expires, linger;
	uint32_t pad;
};

/* The route by way of the destination itself: type 2, one hop. */
struct route {
	uint8_t next, length, type, left;
	uint32_t reserved;
	struct in6_addr hop;
};

static int set_option(int family, int level, int option, const void *value, socklen_t length)
{
	OWNED_FD int fd = socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return untried("socket: %s", strerror(errno));
	return outcome(setsockopt(fd, level, option, value, length));
}

static int run_socket_option(int argc, char **argv)
{
	struct flow_label_request label = {
		.address = IN6ADDR_LOOPBACK_INIT,
		.share = 1, /* exclusive */
		.flags = 1, /* create */
	};
	int one = 1;

	(void)argc;
	if (strcmp(argv[1], "route6") == 0)
		return set_option(AF_INET6, SOL_IPV6, IPV6_RTHDR, NULL, 0);
	if (strcmp(argv[1], "packet-options6") == 0)
		return set_option(AF_INET6, SOL_IPV6, IPV6_2292PKTOPTIONS, NULL, 0);
	if (strcmp(argv[1], "label6") == 0)
		return set_option(AF_INET6, SOL_IPV6, FLOWLABEL_MGR, &label, sizeof(label));
	if (strcmp(argv[1], "options") == 0)
		return set_option(AF_INET, SOL_IP, IP_OPTIONS, "\1\1\1\1", 4);
	if (strcmp(argv[1], "v6only") == 0)
		return set_option(AF_INET6, SOL_IPV6, IPV6_V6ONLY, &one, sizeof(one));
	return untried("no option is called %s", argv[1]);
}

/* One datagram over loopback, with a message in front that is harmless and then this one. */
static int send_with(struct sockaddr *to, socklen_t to_length, int level, int type,
		     const void *value, size_t length)
{
	OWNED_FD int fd = socket(to->sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool v6 = to->sa_family == AF_INET6;
	char control[256] __attribute__((aligned(8))) = { 0 };
	struct iovec data = { (char[]) { 'x' }, 1 };
	struct msghdr message = {
		.msg_name = to,
		.msg_namelen = to_length,
		.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = CMSG_SPACE(sizeof(int)) + (length ? CMSG_SPACE(length) : 0),
	};
	struct cmsghdr *c = CMSG_FIRSTHDR(&message);
	int hops = 64;

	if (fd < 0)
		return untried("socket: %s", strerror(errno));
	c->cmsg_level = v6 ? SOL_IPV6 : SOL_IP;
	c->cmsg_type = v6 ? IPV6_HOPLIMIT : IP_TTL;
	c->cmsg_len = CMSG_LEN(sizeof(hops));
	memcpy(CMSG_DATA(c), &hops, sizeof(hops));
	c = length ? CMSG_NXTHDR(&message, c) : NULL;
	if (c) {
		c->cmsg_level = level;
		c->cmsg_type = type;
		c->cmsg_len = CMSG_LEN(length);
		memcpy(CMSG_DATA(c), value, length);
	}
	return outcome(sendmsg(fd, &message, 0));
}

static int run_message_option(int argc, char **argv)
{
	struct sockaddr_in6 to6 = { .sin6_family = AF_INET6,
				    .sin6_addr = IN6ADDR_LOOPBACK_INIT,
				    .sin6_port = htons(9) };
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
				  .sin_port = htons(9) };
	struct route route = { .length = 2, .type = 2, .left = 1, .hop = IN6ADDR_LOOPBACK_INIT };

	(void)argc;
	if (strcmp(argv[1], "route6") == 0)
		return send_with((struct sockaddr *)&to6, sizeof(to6), SOL_IPV6, IPV6_RTHDR, &route,
				 sizeof(route));
	if (strcmp(argv[1], "old-route6") == 0)
		return send_with((struct sockaddr *)&to6, sizeof(to6), SOL_IPV6, IPV6_2292RTHDR,
				 &route, sizeof(route));
	if (strcmp(argv[1], "options") == 0)
		return send_with((struct sockaddr *)&to, sizeof(to), SOL_IP, IP_RETOPTS, "\1\1\1\1",
				 4);
	if (strcmp(argv[1], "none") == 0)
		return send_with((struct sockaddr *)&to, sizeof(to), 0, 0, NULL, 0);
	if (strcmp(argv[1], "none6") == 0)
		return send_with((struct sockaddr *)&to6, sizeof(to6), 0, 0, NULL, 0);
	return untried("no message is called %s", argv[1]);
}

static int run_protocol(int argc, char **argv)
{
	unsigned long family, type, protocol;
	int r = parse_number(argv[1], 45, &family) ?: parse_number(argv[2], 10, &type)
		?: parse_number(argv[3], 65535, &protocol);

	(void)argc;
	return r ? r : outcome_fd(socket((int)family, (int)type | SOCK_CLOEXEC, (int)protocol));
}

const struct verb option_verbs[] = {
	{ "socket-option", "route6|packet-options6|label6|options|v6only", 1, 1,
	  run_socket_option },
	{ "message-option", "route6|old-route6|options|none|none6", 1, 1, run_message_option },
	{ "protocol", "FAMILY TYPE PROTOCOL", 3, 3, run_protocol },
	{ 0 },
};
