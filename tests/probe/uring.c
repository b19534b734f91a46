/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The same operations through io_uring: submitted plainly, forced to a worker (IOSQE_ASYNC), taken
 * by the kernel's polling thread (SQPOLL), or with registered credentials.
 */
#include <fcntl.h>
#include <liburing.h>
#include <linux/openat2.h>
#include <sys/stat.h>

#include "lib/base/base.h"
#include "address.h"
#include "probe.h"

#define RING_ENTRIES 4
#define RING_TIMEOUT 20 /* seconds */
#define OP_BIND 56 /* IORING_OP_BIND, Linux 6.11; not in every header */

enum way { WAY_PLAIN, WAY_ASYNC, WAY_SQPOLL, WAY_PERSONALITY, WAYS };

static const char *const way_names[WAYS] = {
	[WAY_PLAIN] = "plain",
	[WAY_ASYNC] = "async",
	[WAY_SQPOLL] = "sqpoll",
	[WAY_PERSONALITY] = "personality",
};

/* What a submission refers to until it is done. */
struct request {
	struct address address;
	struct open_how how;
	struct iovec data;
	struct msghdr message;
	struct statx statx;
	int fd; /* a socket made for it, or -1 */
};

struct ring_operation {
	const char *name;
	int arguments;
	int opcode;
	bool makes_fd;
	int (*prepare)(struct io_uring_sqe *sqe, struct request *request, char **argv);
};

static void free_request(struct request *request)
{
	if (request->fd >= 0)
		close(request->fd);
}

static int prepare_open(struct io_uring_sqe *sqe, struct request *request, char **argv)
{
	(void)request;
	io_uring_prep_openat(sqe, AT_FDCWD, argv[0], O_RDONLY | O_CLOEXEC, 0);
	return 0;
}

static int prepare_open_write(struct io_uring_sqe *sqe, struct request *request, char **argv)
{
	(void)request;
	io_uring_prep_openat(sqe, AT_FDCWD, argv[0], O_WRONLY | O_CLOEXEC, 0);
	return 0;
}

static int prepare_create(struct io_uring_sqe *sqe, struct request *request, char **argv)
{
	(void)request;
	io_uring_prep_openat(sqe, AT_FDCWD, argv[0], O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	return 0;
}

static int prepare_openat2(struct io_uring_sqe *sqe, struct request *request, char **argv)
{
	request->how.flags = O_RDONLY | O_CLOEXEC;
	io_uring_prep_openat2(sqe, AT_FDCWD, argv[0], &request->how);
	return 0;
}

static int prepare_unlink(struct io_uring_sqe *sqe, struct request *request, char **argv)
{
	(void)request;
	io_uring_prep_unlinkat(sqe, AT_FDCWD, argv[0], 0);
	return 0;
}

static int prepare_rename(struct io_uring_sqe *sqe, struct request *request, char **argv)
{
	(void)request;
	io_uring_prep_renameat(sqe, AT_FDCWD, argv[0], AT_FDCWD, argv[1], 0);
	return 0;
}

static int prepare_mkdir(struct io_uring_sqe *sqe, struct request *request, char **argv)
{
	(void)request;
	io_uring_prep_mkdirat(sqe, AT_FDCWD, argv[0], 0700);
	return 0;
}

static int prepare_link(struct io_uring_sqe *sqe, struct request *request, char **argv)
{
	(void)request;
	io_uring_prep_linkat(sqe, AT_FDCWD, argv[0], AT_FDCWD, argv[1], 0);
	return 0;
}

static int prepare_symlink(struct io_uring_sqe *sqe, struct request *request, char **argv)
{
	(void)request;
	io_uring_prep_symlinkat(sqe, argv[0], AT_FDCWD, argv[1]);
	return 0;
}

static int prepare_setxattr(struct io_uring_sqe *sqe, struct request *request, char **argv)
{
	(void)request;
	io_uring_prep_setxattr(sqe, "user.probe", "1", argv[0], 0, 1);
	return 0;
}

static int prepare_statx(struct io_uring_sqe *sqe, struct request *request, char **argv)
{
	io_uring_prep_statx(sqe, AT_FDCWD, argv[0], 0, STATX_BASIC_STATS, &request->statx);
	return 0;
}

static int prepare_socket(struct io_uring_sqe *sqe, struct request *request, char **argv)
{
	(void)request;
	(void)argv;
	io_uring_prep_socket(sqe, AF_INET, SOCK_STREAM, 0, 0);
	return 0;
}

/* Sets request->address and request->fd. */
static int make_socket(struct request *request, int type, char **argv)
{
	int r = parse_inet(argv[0], argv[1], &request->address);

	if (r)
		return r;
	request->fd = socket(request->address.any.sa_family, type | SOCK_CLOEXEC, 0);
	return request->fd < 0 ? untried("socket: %s", strerror(errno)) : 0;
}

static int prepare_connect(struct io_uring_sqe *sqe, struct request *request, char **argv)
{
	int r = make_socket(request, SOCK_STREAM, argv);

	if (r)
		return r;
	io_uring_prep_connect(sqe, request->fd, &request->address.any, request->address.length);
	return 0;
}

static int prepare_bind(struct io_uring_sqe *sqe, struct request *request, char **argv)
{
	int r = make_socket(request, SOCK_STREAM, argv);

	if (r)
		return r;
	io_uring_prep_rw(OP_BIND, sqe, request->fd, &request->address.any, 0,
			 request->address.length);
	return 0;
}

static int prepare_sendmsg(struct io_uring_sqe *sqe, struct request *request, char **argv)
{
	int r = make_socket(request, SOCK_DGRAM, argv);

	if (r)
		return r;
	request->data = (struct iovec) { "x", 1 };
	request->message = (struct msghdr) { .msg_name = &request->address.any,
					     .msg_namelen = request->address.length,
					     .msg_iov = &request->data,
					     .msg_iovlen = 1 };
	io_uring_prep_sendmsg(sqe, request->fd, &request->message, 0);
	return 0;
}

static int prepare_unix_connect(struct io_uring_sqe *sqe, struct request *request, char **argv)
{
	int r = parse_unix(argv[0], &request->address);

	if (r)
		return r;
	request->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (request->fd < 0)
		return untried("socket: %s", strerror(errno));
	io_uring_prep_connect(sqe, request->fd, &request->address.any, request->address.length);
	return 0;
}

static const struct ring_operation operations[] = {
	{ "open", 1, IORING_OP_OPENAT, true, prepare_open },
	{ "open-write", 1, IORING_OP_OPENAT, true, prepare_open_write },
	{ "openat2", 1, IORING_OP_OPENAT2, true, prepare_openat2 },
	{ "create", 1, IORING_OP_OPENAT, true, prepare_create },
	{ "unlink", 1, IORING_OP_UNLINKAT, false, prepare_unlink },
	{ "rename", 2, IORING_OP_RENAMEAT, false, prepare_rename },
	{ "mkdir", 1, IORING_OP_MKDIRAT, false, prepare_mkdir },
	{ "link", 2, IORING_OP_LINKAT, false, prepare_link },
	{ "symlink", 2, IORING_OP_SYMLINKAT, false, prepare_symlink },
	{ "setxattr", 1, IORING_OP_SETXATTR, false, prepare_setxattr },
	{ "statx", 1, IORING_OP_STATX, false, prepare_statx },
	{ "socket", 0, IORING_OP_SOCKET, true, prepare_socket },
	{ "connect", 2, IORING_OP_CONNECT, false, prepare_connect },
	{ "bind", 2, OP_BIND, false, prepare_bind },
	{ "sendmsg", 2, IORING_OP_SENDMSG, false, prepare_sendmsg },
	{ "unix-connect", 1, IORING_OP_CONNECT, false, prepare_unix_connect },
};

static bool supports(struct io_uring *ring, int opcode)
{
	struct io_uring_probe *probe = io_uring_get_probe_ring(ring);
	bool supported = probe && io_uring_opcode_supported(probe, opcode);

	io_uring_free_probe(probe);
	return supported;
}

/*
 * Submits one request and waits for its end. 0 or PROBE_UNTRIED; the result is the kernel's, as for
 * a system call.
 */
static int submit(struct io_uring *ring, struct io_uring_sqe *sqe, enum way way, int *ret_result)
{
	struct __kernel_timespec limit = { .tv_sec = RING_TIMEOUT };
	struct io_uring_cqe *cqe;
	int r;

	if (way == WAY_ASYNC)
		sqe->flags |= IOSQE_ASYNC;
	if (way == WAY_PERSONALITY) {
		r = io_uring_register_personality(ring);
		if (r < 0)
			return untried("registering credentials: %s", strerror(-r));
		sqe->personality = (unsigned short)r;
	}
	r = io_uring_submit(ring);
	if (r < 0)
		return untried("io_uring_submit: %s", strerror(-r));
	r = io_uring_wait_cqe_timeout(ring, &cqe, &limit);
	if (r < 0)
		return untried("io_uring_wait_cqe: %s", strerror(-r));
	*ret_result = cqe->res;
	io_uring_cqe_seen(ring, cqe);
	return 0;
}

static int run_operation(struct io_uring *ring, const struct ring_operation *operation,
			 enum way way, char **argv)
{
	CLEANUP(free_request) struct request request = { .fd = -1 };
	struct io_uring_sqe *sqe;
	int result = 0, r;

	if (!supports(ring, operation->opcode))
		return untried("io_uring has no %s on this kernel", operation->name);
	sqe = io_uring_get_sqe(ring);
	if (!sqe)
		return untried("no free submission entry");
	r = operation->prepare(sqe, &request, argv);
	if (r)
		return r;
	r = submit(ring, sqe, way, &result);
	if (r || result < 0)
		return r ? r : result;
	if (operation->makes_fd)
		close(result);
	return 0;
}

static const struct ring_operation *find_operation(const char *name, int arguments)
{
	for (size_t i = 0; i < ARRAY_SIZE(operations); i++)
		if (strcmp(operations[i].name, name) == 0 && operations[i].arguments == arguments)
			return &operations[i];
	return NULL;
}

static int run_uring(int argc, char **argv)
{
	const struct ring_operation *operation = find_operation(argv[2], argc - 3);
	struct io_uring ring;
	enum way way = 0;
	int r;

	while (way < WAYS && strcmp(way_names[way], argv[1]) != 0)
		way++;
	if (way == WAYS || !operation)
		return untried("no such way, operation or number of arguments: %s %s", argv[1],
			       argv[2]);
	r = io_uring_queue_init(RING_ENTRIES, &ring, way == WAY_SQPOLL ? IORING_SETUP_SQPOLL : 0);
	if (r < 0)
		return untried("io_uring_setup: %s", strerror(-r));
	r = run_operation(&ring, operation, way, argv + 3);
	io_uring_queue_exit(&ring);
	return r;
}

static int run_ring_setup(int argc, char **argv)
{
	struct io_uring ring;
	int r;

	(void)argc;
	(void)argv;
	r = io_uring_queue_init(RING_ENTRIES, &ring, 0);
	if (r < 0)
		return r;
	io_uring_queue_exit(&ring);
	return 0;
}

const struct verb uring_verbs[] = {
	{ "ring-setup", "", 0, 0, run_ring_setup },
	{ "uring", "plain|async|sqpoll|personality OPERATION [ARGUMENT]...", 2, 4, run_uring },
	{ 0 },
};
