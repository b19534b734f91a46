/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Two things are waited for: input, and the end of the output's reader, which would otherwise be
 * noticed with the next entry only, which may never come.
 */
#include <poll.h>

#include "follow.h"

int wait_for_input(int in, int out)
{
	struct pollfd pollers[] = { { .fd = in, .events = POLLIN }, { .fd = out } };

	while (poll(pollers, ARRAY_SIZE(pollers), -1) < 0)
		if (errno != EINTR)
			return -errno;
	return !(pollers[1].revents & (POLLERR | POLLHUP));
}

int follow(struct log_source *source, int out, follow_event_fn *event, int (*idle)(void *arg),
	   void *arg)
{
	for (;;) {
		const struct log_event *next;
		int r = log_source_next(source, &next);

		if (r == 0)
			return 0;
		if (r == 1) {
			r = event(arg, next);
		} else if (r == -EAGAIN) {
			r = idle(arg);
			if (r == 0)
				r = wait_for_input(log_source_fd(source), out);
			if (r == 0)
				return 0;
		}
		if (r < 0)
			return r;
	}
}
