/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Two things are waited for: more of the stream, and the end of whoever reads our output, who
 * would otherwise be noticed with the next entry only, which may never come.
 */
#include <poll.h>

#include "follow.h"

/* 1 where the channel has input, 0 where `out` has lost its reader. */
static int wait_for_more(struct channel *channel, int out)
{
	struct pollfd pollers[] = {
		{ .fd = channel_fd(channel), .events = POLLIN },
		{ .fd = out },
	};

	while (poll(pollers, ARRAY_SIZE(pollers), -1) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	return !(pollers[1].revents & (POLLERR | POLLHUP));
}

int follow(struct channel *channel, int out, follow_line_fn *line, int (*idle)(void *arg),
	   void *arg)
{
	for (;;) {
		json_auto_t *json = NULL;
		int r = channel_take(channel, &json);

		if (r == 0) {
			if (json_is_true(json_object_get(json, "end")))
				return 0;
			r = line(arg, json);
		} else if (r == -EAGAIN) {
			r = idle(arg);
			if (r == 0)
				r = wait_for_more(channel, out);
			if (r == 0)
				return 0;
			if (r > 0)
				r = channel_read(channel);
		}
		if (r < 0 && r != -EAGAIN)
			return r;
	}
}
