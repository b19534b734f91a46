/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Unix sockets: reaching servers through them, and what comes out of them.
 */
#include <sys/uio.h>

#include "lib/base/base.h"
#include "address.h"
#include "passing.h"
#include "probe.h"

static int prepare(const char *name, int type, struct address *ret_address, int *ret_fd)
{
	int fd, r = parse_unix(name, ret_address);

	if (r)
		return r;
	fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return untried("socket: %s", strerror(errno));
	*ret_fd = fd;
	return 0;
}

static int run_unix_connect(int argc, char **argv)
{
	OWNED_FD int fd = -1;
	struct address a;
	int r = prepare(argv[1], SOCK_STREAM, &a, &fd);

	(void)argc;
	return r ? r : outcome(connect(fd, &a.any, a.length));
}

static int run_unix_dgram(int argc, char **argv)
{
	OWNED_FD int fd = -1;
	struct address a;
	int r = prepare(argv[1], SOCK_DGRAM, &a, &fd);

	(void)argc;
	return r ? r : outcome(sendto(fd, "x", 1, MSG_DONTWAIT, &a.any, a.length));
}

static int run_unix_dgram_connect(int argc, char **argv)
{
	OWNED_FD int fd = -1;
	struct address a;
	int r = prepare(argv[1], SOCK_DGRAM, &a, &fd);

	(void)argc;
	return r ? r : outcome(connect(fd, &a.any, a.length));
}

static int run_unix_bind(int argc, char **argv)
{
	OWNED_FD int fd = -1;
	struct address a;
	int r = prepare(argv[1], SOCK_STREAM, &a, &fd);

	(void)argc;
	return r ? r : outcome(bind(fd, &a.any, a.length));
}

/*
 * Takes a descriptor from a `probe serve-fd`. A refused one leaves no errno: the message comes
 * without it and with MSG_CTRUNC, although there was room.
 */
static int run_receive(int argc, char **argv)
{
	OWNED_FD int fd = -1;
	OWNED_FD int received = -1;
	struct address a;
	bool cut;
	int r = prepare(argv[1], SOCK_STREAM, &a, &fd);

	(void)argc;
	if (r)
		return r;
	if (connect(fd, &a.any, a.length) < 0)
		return untried("connect: %s", strerror(errno));
	received = fd_receive(fd, &cut);
	if (received >= 0)
		return 0;
	return cut ? PROBE_REFUSED : untried("no descriptor came: %s", strerror(errno));
}

static int type_by_name(const char *name)
{
	return !strcmp(name, "dgram")	    ? SOCK_DGRAM
	       : !strcmp(name, "seqpacket") ? SOCK_SEQPACKET
					    : SOCK_STREAM;
}

/* Makes a server, connects to it and sends. */
static int run_unix_own(int argc, char **argv)
{
	int type = type_by_name(argv[1]), r;
	OWNED_FD int server = -1;
	OWNED_FD int fd = -1;
	struct address a;

	(void)argc;
	r = prepare(argv[2], type, &a, &server) ?: prepare(argv[2], type, &a, &fd);
	if (r)
		return r;
	if (bind(server, &a.any, a.length) < 0 || (type != SOCK_DGRAM && listen(server, 1) < 0))
		return untried("%s: %s", argv[2], strerror(errno));
	r = outcome(connect(fd, &a.any, a.length));
	return r ? r : outcome(send(fd, "x", 1, MSG_NOSIGNAL));
}

const struct verb unix_verbs[] = {
	{ "unix-connect", "PATH|@NAME", 1, 1, run_unix_connect },
	{ "unix-dgram", "PATH|@NAME", 1, 1, run_unix_dgram },
	{ "unix-dgram-connect", "PATH|@NAME", 1, 1, run_unix_dgram_connect },
	{ "unix-bind", "PATH|@NAME", 1, 1, run_unix_bind },
	{ "unix-own", "stream|dgram|seqpacket PATH|@NAME", 2, 2, run_unix_own },
	{ "receive", "PATH|@NAME", 1, 1, run_receive },
	{ 0 },
};
