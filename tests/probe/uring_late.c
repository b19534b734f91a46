/* SPDX-License-Identifier: MPL-2.0 */
/*
 * An open that a ring was told to make later: when the moment comes it is made by the submitting
 * thread itself, on its way out of another system call, which here is an ordinary open.
 */
#include <fcntl.h>
#include <liburing.h>
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "lib/base/base.h"
#include "probe.h"

#define RING_ENTRIES 4
#define RING_TIMEOUT 20 /* seconds */
#define WATCHED "/dev/null" /* opening it is what the ring waits for */

/* The open of `path` waits for `fd` to be readable. */
static int submit_late(struct io_uring *ring, int fd, const char *path)
{
	struct io_uring_sqe *wait = io_uring_get_sqe(ring), *open = io_uring_get_sqe(ring);
	int r;

	if (!wait || !open)
		return untried("no free submission entry");
	io_uring_prep_poll_add(wait, fd, POLLIN);
	wait->flags |= IOSQE_IO_LINK;
	io_uring_prep_openat(open, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	open->user_data = 1;
	r = io_uring_submit(ring);
	return r < 0 ? untried("io_uring_submit: %s", strerror(-r)) : 0;
}

/* What became of the second request: 0 or PROBE_UNTRIED; the result is the kernel's. */
static int late_result(struct io_uring *ring, int *ret_result)
{
	struct __kernel_timespec limit = { .tv_sec = RING_TIMEOUT };
	struct io_uring_cqe *cqe;
	bool last;
	int r;

	do {
		r = io_uring_wait_cqe_timeout(ring, &cqe, &limit);
		if (r < 0)
			return untried("io_uring_wait_cqe: %s", strerror(-r));
		last = cqe->user_data;
		*ret_result = cqe->res;
		io_uring_cqe_seen(ring, cqe);
	} while (!last);
	return 0;
}

static int open_late(struct io_uring *ring, const char *path)
{
	OWNED_FD int events = inotify_init1(IN_CLOEXEC);
	int result = 0, r;

	if (events < 0 || inotify_add_watch(events, WATCHED, IN_OPEN) < 0)
		return untried("inotify: %s", strerror(errno));
	r = submit_late(ring, events, path);
	if (r)
		return r;
	r = outcome_fd(open(WATCHED, O_RDONLY | O_CLOEXEC));
	if (r)
		return untried(WATCHED ": %s", strerror(-r));
	r = late_result(ring, &result);
	if (r || result < 0)
		return r ? r : result;
	close(result);
	return 0;
}

static int run_uring_late(int argc, char **argv)
{
	struct io_uring ring;
	int r = io_uring_queue_init(RING_ENTRIES, &ring, 0);

	(void)argc;
	if (r < 0)
		return untried("io_uring_setup: %s", strerror(-r));
	r = open_late(&ring, argv[1]);
	io_uring_queue_exit(&ring);
	return r;
}

const struct verb late_verbs[] = {
	{ "uring-late", "FILE", 1, 1, run_uring_late },
	{ 0 },
};
