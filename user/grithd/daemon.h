/* SPDX-License-Identifier: MPL-2.0 */
/*
 * All states of grithd, which only daemon.c and daemon_open.c know. What happens in one room and
 * concerns another goes through the callbacks in daemon.c.
 */
#pragma once

#include "grithd/verbs/verbs.h"
#include "options.h"

struct daemon {
	const struct options *options;
	sd_event *event;
	struct root_cgroup root;
	struct kernel *kernel;
	struct audit audit;
	struct compiles compiles;
	struct sessions sessions;
	struct reviews reviews;
	struct intake intake;
	struct verbs verbs;
	struct server server;
	bool first_start; /* there was no log before this one */
};

/*
 * Each opens a part, in this order, and logs what is wrong with it. 0 or -errno; what was opened is
 * daemon.c's to close.
 */
int daemon_open_state(struct daemon *daemon); /* its directory, and what was learned from answers */
int daemon_open_log(struct daemon *daemon);
int daemon_open_kernel(struct daemon *daemon);
/* Takes over the sessions of an earlier grithd. */
int daemon_adopt(struct daemon *daemon);
int daemon_open_compiles(struct daemon *daemon); /* the policies that are kept */
int daemon_open_server(struct daemon *daemon);

/* Runs until a signal asks for the end. The exit status of the program. */
int daemon_run(const struct options *options);
