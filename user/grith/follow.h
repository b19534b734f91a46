/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The stream of lines that answers a "log" request.
 */
#ifndef GRITH_FOLLOW_H
#define GRITH_FOLLOW_H

#include "channel.h"

/* One line of the stream, borrowed. A negative errno ends the stream. */
typedef int follow_line_fn(void *arg, const json_t *line);

/*
 * Passes on each line up to the one with "end", as it comes. `idle` is called before each wait for
 * more. 0 at the end, and where nobody reads `out` any more; else the first negative errno of the
 * callbacks or, for channel_explain(), of the channel.
 */
int follow(struct channel *channel, int out, follow_line_fn *line, int (*idle)(void *arg),
	   void *arg);

#endif
