/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What all of grithd shares: one struct, made in daemon.c, in which each part has its member. No
 * part keeps state outside of it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <systemd/sd-event.h>

#include "grithd/audit/audit.h"
#include "grithd/base/base.h"
#include "grithd/kernel/kernel.h"
#include "grithd/review/review.h"
#include "grithd/session/session.h"
#include "options.h"

struct canaries;
struct remembered;
struct score_weights;
struct server;
struct session_store;
struct trust_store;

struct daemon {
	const struct options *options;
	sd_event *event;
	struct kernel *kernel;
	struct root_cgroup root;
	struct session_store *store;
	struct audit audit;
	struct sessions sessions;
	struct images images;
	struct holds holds;
	struct reviews reviews;
	struct remembered *remembered;
	struct trust_store *trust;
	struct canaries *canaries;
	struct score_weights *weights; /* NULL: there is no file of them, and nothing is scored */
	uint64_t scanned; /* CLOCK_MONOTONIC: when the kernel's holds were looked through last */
	bool lost_records; /* since then */
	struct server *server;
	sd_event_source *ring, *poll; /* the ring buffer, by descriptor and by time */
	uint64_t records; /* taken in */
	uint64_t bad_records; /* that could not be decoded */
	uint64_t stray_records; /* of no session */
};

/* Runs until a signal asks for the end. The exit status of the program. */
int daemon_run(const struct options *options);

/* Takes in all records that are there, writes the log, and wakes those who follow it. */
void daemon_catch_up(struct daemon *daemon);

/* Turns the timer on when there are sessions, off when there are none. */
void daemon_update_poll(struct daemon *daemon);
