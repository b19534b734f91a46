/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The requests of the protocol: who may make them, and what each does. The only part that reaches
 * into all other rooms, so it is above them. Does not know how lines come and go.
 */
#pragma once

#include "grithd/compile/compile.h"
#include "grithd/intake/intake.h"
#include "grithd/server/server.h"
#include "lib/proto/proto.h"

/* What requests are about. */
struct verbs {
	sd_event *event;
	struct kernel *kernel;
	const struct root_cgroup *root;
	struct audit *audit;
	struct compiles *compiles;
	struct sessions *sessions;
	struct reviews *reviews;
	struct intake *intake;
	const char *attach; /* how the kernel's programs are attached */
	const char *socket, *policy_dir, *state_dir, *log_dir;
};

/* For server_ops.request(); `arg` is a struct verbs. */
void verbs_request(void *arg, struct client *client, const char *line, size_t length);

/* Tells the clients that follow reviews of one. */
void verbs_review_changed(struct server *server, const struct review *review);
