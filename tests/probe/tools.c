/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What the tests need around the operations: servers to talk to, and waiting for events. A server
 * prints "ready" when it can be talked to and serves until it is killed.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/base.h"
#include "address.h"
#include "passing.h"
#include "probe.h"

#define SECONDS_MAX 3600

static void say_ready(void)
{
	puts("ready");
	fflush(stdout);
}

static int start_server(const struct address *a, int type, int *ret_fd)
{
	int fd = socket(a->any.sa_family, type | SOCK_CLOEXEC, 0), one = 1;

	if (fd < 0)
		return untried("socket: %s", strerror(errno));
	*ret_fd = fd;
	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) < 0 ||
	    bind(fd, &a->any, a->length) < 0)
		return untried("bind: %s", strerror(errno));
	if (type == SOCK_STREAM && listen(fd, 16) < 0)
		return untried("listen: %s", strerror(errno));
	return 0;
}

/* Accepts and closes. */
static int serve_streams(const struct address *a)
{
	OWNED_FD int fd = -1;
	int r = start_server(a, SOCK_STREAM, &fd);

	if (r)
		return r;
	say_ready();
	for (;;)
		outcome_fd(accept4(fd, NULL, NULL, SOCK_CLOEXEC));
}

static int run_serve_tcp(int argc, char **argv)
{
	struct address a;
	int r = parse_inet(argv[1], argv[2], &a);

	(void)argc;
	return r ? r : serve_streams(&a);
}

static int run_serve_unix(int argc, char **argv)
{
	struct address a;
	int r = parse_unix(argv[1], &a);

	(void)argc;
	return r ? r : serve_streams(&a);
}

static int run_serve_dgram(int argc, char **argv)
{
	OWNED_FD int fd = -1;
	struct address a;
	char byte;
	int r = parse_unix(argv[1], &a);

	(void)argc;
	if (!r)
		r = start_server(&a, SOCK_DGRAM, &fd);
	if (r)
		return r;
	say_ready();
	for (;;)
		if (recv(fd, &byte, 1, 0) < 0)
			return untried("recv: %s", strerror(errno));
}

static int give_away(int server, int fd)
{
	say_ready();
	for (;;) {
		OWNED_FD int connection = accept4(server, NULL, NULL, SOCK_CLOEXEC);

		if (connection >= 0 && fd_send(connection, fd) < 0)
			fprintf(stderr, "sendmsg: %s\n", strerror(errno));
	}
	return 0;
}

/* Gives everybody who connects a descriptor of the file. */
static int run_serve_fd(int argc, char **argv)
{
	OWNED_FD int fd = -1;
	OWNED_FD int file = open(argv[2], O_RDONLY | O_CLOEXEC);
	struct address a;
	int r = parse_unix(argv[1], &a);

	(void)argc;
	if (file < 0)
		return untried("%s: %s", argv[2], strerror(errno));
	if (!r)
		r = start_server(&a, SOCK_STREAM, &fd);
	return r ? r : give_away(fd, file);
}

/* Gives everybody who connects a descriptor of a connection to the other server. */
static int run_serve_connection(int argc, char **argv)
{
	OWNED_FD int connected = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct address to, a;
	OWNED_FD int fd = -1;
	int r = parse_unix(argv[1], &a) ?: parse_unix(argv[2], &to);

	(void)argc;
	if (!r && connect(connected, &to.any, to.length) < 0)
		r = untried("%s: %s", argv[2], strerror(errno));
	if (!r)
		r = start_server(&a, SOCK_STREAM, &fd);
	return r ? r : give_away(fd, connected);
}

/* Waits for a message of the service manager's protocol that says READY=1, or for the end. */
static int await_ready(int notify, int process, int milliseconds)
{
	struct pollfd sources[] = { { .fd = notify, .events = POLLIN },
				    { .fd = process, .events = POLLIN } };
	char message[1024];
	ssize_t size;

	for (;;) {
		int r = poll(sources, ARRAY_SIZE(sources), milliseconds);

		if (r <= 0)
			return untried(r ? "poll failed" : "not ready in time");
		if (!(sources[0].revents & POLLIN))
			return untried("it ended before it was ready");
		size = recv(notify, message, sizeof(message) - 1, 0);
		if (size < 0)
			return untried("recv: %s", strerror(errno));
		message[size] = '\0';
		if (strncmp(message, "READY=1", 7) == 0 || strstr(message, "\nREADY=1"))
			return 0;
	}
}

/*
 * argv: start SECONDS PROGRAM [ARGUMENT]...: starts a program that tells a service manager when it
 * is ready, waits for that, prints its process id and leaves it running. On failure the program is
 * killed. What it prints goes to standard error.
 */
static int run_start(int argc, char **argv)
{
	OWNED_FD int notify = -1;
	OWNED_FD int process = -1;
	struct address a;
	unsigned long seconds;
	char name[64];
	pid_t pid;
	int r = parse_number(argv[1], SECONDS_MAX, &seconds);

	(void)argc;
	if (r)
		return r;
	snprintf(name, sizeof(name), "@probe-start-%d", getpid());
	r = parse_unix(name, &a);
	if (!r)
		r = start_server(&a, SOCK_DGRAM, &notify);
	if (r)
		return r;
	pid = fork();
	if (pid == 0) {
		setsid();
		setenv("NOTIFY_SOCKET", name, 1);
		/* Our standard output must end when we do. */
		dup2(STDERR_FILENO, STDOUT_FILENO);
		execvp(argv[2], argv + 2);
		fprintf(stderr, "%s: %s\n", argv[2], strerror(errno));
		_exit(127);
	}
	process = (int)syscall(SYS_pidfd_open, pid, 0);
	if (pid < 0 || process < 0)
		return untried("cannot start %s: %s", argv[2], strerror(errno));
	r = await_ready(notify, process, (int)seconds * 1000);
	if (r)
		kill(pid, SIGKILL);
	else
		printf("%d\n", pid);
	return r;
}

/* argv: await-end SECONDS PID: waits until the process is gone. */
static int run_await_end(int argc, char **argv)
{
	OWNED_FD int process = -1;
	struct pollfd source = { .events = POLLIN };
	unsigned long seconds;
	pid_t pid;
	int r = parse_number(argv[1], SECONDS_MAX, &seconds);

	(void)argc;
	if (!r)
		r = parse_pid(argv[2], &pid);
	if (r)
		return r;
	process = (int)syscall(SYS_pidfd_open, pid, 0);
	if (process < 0)
		return errno == ESRCH ? 0 : untried("pidfd_open: %s", strerror(errno));
	source.fd = process;
	r = poll(&source, 1, (int)seconds * 1000);
	return r == 1 ? 0 : untried("process %d is still there", pid);
}

const struct verb tool_verbs[] = {
	{ "serve-tcp", "ADDRESS PORT", 2, 2, run_serve_tcp },
	{ "serve-unix", "PATH|@NAME", 1, 1, run_serve_unix },
	{ "serve-dgram", "PATH|@NAME", 1, 1, run_serve_dgram },
	{ "serve-fd", "PATH|@NAME FILE", 2, 2, run_serve_fd },
	{ "serve-connection", "PATH|@NAME TO", 2, 2, run_serve_connection },
	{ "start", "SECONDS PROGRAM [ARGUMENT]...", 2, -1, run_start },
	{ "await-end", "SECONDS PID", 2, 2, run_await_end },
	{ 0 },
};
