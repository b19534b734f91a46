/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Connections from before a secret was read: the first time that one is written to afterwards is
 * another operation, and held in this session.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "stage.h"

#define PORT 4720
#define OWN_PORT 4721 /* of a server in the session */

typedef int send_fn(int fd);

static struct sockaddr_in elsewhere(int port)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port) };

	inet_pton(AF_INET, ELSEWHERE, &address.sin_addr);
	return address;
}

/* A connected socket, or -1. */
static int connected(int type, int port)
{
	struct sockaddr_in address = elsewhere(port);
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);

	return connect(fd, (void *)&address, sizeof(address)) < 0 ? -1 : fd;
}

static int read_secret(void)
{
	char text[16];
	int fd = open(SECRET, O_RDONLY | O_CLOEXEC), r;

	r = fd < 0 ? errno : status_of((int)read(fd, text, sizeof(text)));
	close(fd);
	return r;
}

static int send_write(int fd)
{
	return status_of((int)write(fd, "x", 1));
}

static int send_writev(int fd)
{
	struct iovec data = { "x", 1 };

	return status_of((int)writev(fd, &data, 1));
}

static int send_plain(int fd)
{
	return status_of((int)send(fd, "x", 1, 0));
}

/* On a connection the destination is ignored. */
static int send_named(int fd)
{
	struct sockaddr_in address = elsewhere(9);

	return status_of((int)sendto(fd, "x", 1, 0, (void *)&address, sizeof(address)));
}

static int send_message(int fd)
{
	struct iovec data = { "x", 1 };
	struct msghdr message = { .msg_iov = &data, .msg_iovlen = 1 };

	return status_of((int)sendmsg(fd, &message, 0));
}

/* Sends, reads the secret, and sends twice: of the two the first one is held. */
static int send_around(int fd, send_fn *send)
{
	int r = fd < 0 ? errno : send(fd);

	if (r == 0)
		r = read_secret();
	if (r == 0)
		r = send(fd);
	return r ? r : send(fd);
}

static int try_write(void)
{
	return send_around(connected(SOCK_STREAM, PORT), send_write);
}

static int try_writev(void)
{
	return send_around(connected(SOCK_STREAM, PORT), send_writev);
}

static int try_send(void)
{
	return send_around(connected(SOCK_STREAM, PORT), send_plain);
}

static int try_named(void)
{
	return send_around(connected(SOCK_STREAM, PORT), send_named);
}

static int try_message(void)
{
	return send_around(connected(SOCK_STREAM, PORT), send_message);
}

static int try_datagram(void)
{
	return send_around(connected(SOCK_DGRAM, PORT), send_write);
}

/* To somebody who has connected to us; both ends are this process. */
static int try_accepted(void)
{
	struct sockaddr_in address = elsewhere(OWN_PORT);
	int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;

	setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(server, (void *)&address, sizeof(address)) < 0 || listen(server, 1) < 0 ||
	    connected(SOCK_STREAM, OWN_PORT) < 0)
		return errno;
	return send_around(accept(server, NULL, NULL), send_write);
}

/* Each secret that is read asks anew. */
static int try_two_secrets(void)
{
	int fd = connected(SOCK_STREAM, PORT), r = send_around(fd, send_write);

	if (r == 0)
		r = read_secret();
	return r ? r : send_write(fd);
}

/* What connects after the secret was read is held then, and not for its data once more. */
static int try_late(void)
{
	int fd, r = read_secret();

	if (r)
		return r;
	fd = connected(SOCK_STREAM, PORT);
	return fd < 0 ? errno : send_write(fd);
}

static int try_untainted(void)
{
	return send_write(connected(SOCK_STREAM, PORT));
}

static int try_sendfile(void)
{
	int fd = connected(SOCK_STREAM, PORT), secret = open(SECRET, O_RDONLY | O_CLOEXEC);

	return secret < 0 ? errno : status_of((int)sendfile(fd, secret, NULL, 1));
}

/* Of the child: says that it has sent, and waits for what the parent does. */
static int said[2], heard[2];

static int try_meanwhile(void)
{
	int fd = connected(SOCK_STREAM, PORT), r = fd < 0 ? errno : read_secret();
	char byte = 0;

	if (r == 0)
		r = send_write(fd);
	if (r || write(said[1], &byte, 1) != 1 || read(heard[0], &byte, 1) != 1)
		return r ? r : EIO;
	return send_write(fd);
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* A read that began before the last decision, and of which the session learns only after it. */
static void check_meanwhile(struct stage *s)
{
	uint64_t began;
	char byte;
	pid_t pid;

	stage_reset(s);
	s->holds = 0;
	if (!check(s->tally, pipe(said) == 0 && pipe(heard) == 0, "no pipes"))
		return;
	pid = start(s, try_meanwhile);
	check(s->tally, wait_stopped(s, pid), "meanwhile: not held");
	began = now();
	answer(s, GRITH_ALLOW, true);
	kill(pid, SIGCONT);
	check(s->tally, read(said[0], &byte, 1) == 1, "meanwhile: nothing was sent");
	check(s->tally, kernel_session_taint(s->kernel, s->id, GRITH_SOURCE_HIGH, began) == 0,
	      "meanwhile: no late taint");
	check(s->tally, write(heard[1], &byte, 1) == 1, "meanwhile: the child is gone");
	check(s->tally, wait_stopped(s, pid) && s->holds == 2, "meanwhile: %u holds", s->holds);
	kill(pid, SIGKILL);
	wait_ended(s, pid);
	for (int i = 0; i < 2; i++) {
		close(said[i]);
		close(heard[i]);
	}
}

static void check_ways(struct stage *s)
{
	static const struct {
		const char *name;
		attempt_fn *attempt;
		unsigned int holds;
	} ways[] = {
		{ "nothing read", try_untainted, 0 },
		{ "write", try_write, 1 },
		{ "writev", try_writev, 1 },
		{ "send", try_send, 1 },
		{ "sendto", try_named, 1 },
		{ "sendmsg", try_message, 1 },
		{ "datagram", try_datagram, 1 },
		{ "accepted", try_accepted, 1 },
		{ "two secrets", try_two_secrets, 2 },
		{ "connected later", try_late, 1 },
	};

	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		int status;

		stage_reset(s);
		status = run_answered(s, ways[i].attempt, GRITH_ALLOW, true);
		check(s->tally, status == 0 && s->holds == ways[i].holds, "%s: %s, %u holds",
		      ways[i].name, strerror(status), s->holds);
		if (!ways[i].holds)
			continue;
		stage_reset(s);
		status = run_answered(s, ways[i].attempt, GRITH_DENY, true);
		check(s->tally, status == EACCES, "%s, denied: %s", ways[i].name, strerror(status));
	}
}

/*
 * sendfile() cannot be made again, and is refused. Before 6.5 it puts pages into the connection
 * past every hook: README.md says so.
 */
static void check_sendfile(struct stage *s)
{
	bool hooked = !kernel_is_before(6, 5);
	int status;

	stage_reset(s);
	status = run_answered(s, try_sendfile, GRITH_ALLOW, true);
	check(s->tally, status == (hooked ? EACCES : 0) && s->refused == hooked,
	      "sendfile: %s, %u records", strerror(status), s->refused);
}

/* Somebody to connect and send to, outside the session. -1: cannot be. */
static int serve_elsewhere(int type)
{
	struct sockaddr_in address = elsewhere(PORT);
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);

	if (bind(fd, (void *)&address, sizeof(address)) < 0 ||
	    (type == SOCK_STREAM && listen(fd, 100) < 0)) {
		close(fd);
		return -1;
	}
	return fd;
}

void test_send(struct tally *tally)
{
	bool added = system("ip address add " ELSEWHERE "/32 dev lo") == 0;
	int server = serve_elsewhere(SOCK_STREAM), sink = serve_elsewhere(SOCK_DGRAM), r;
	struct stage s;

	r = stage_open(&s, tally);
	make_file(SECRET, 0600, "secret");
	if (check(tally, added && server >= 0 && sink >= 0, "no server elsewhere: %s",
		  strerror(errno)) &&
	    check(tally, r == 0, "no session: %s", strerror(-r))) {
		check_ways(&s);
		check_sendfile(&s);
		check_meanwhile(&s);
		check(tally, !s.undone, "%u records of calls that were undone", s.undone);
	}
	stage_close(&s);
	close(server);
	close(sink);
	if (added && system("ip address delete " ELSEWHERE "/32 dev lo"))
		check(tally, false, "the address stays");
}
