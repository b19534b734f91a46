/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Entries of the log as events of the Open Cybersecurity Schema Framework, version 1.3.0, with its
 * profile security_control. Which entry becomes an event of which class and activity is a table in
 * grith(1), OCSF. Pure.
 */
#pragma once

#include "lib/event/event.h"

#define OCSF_VERSION "1.3.0"

enum ocsf_class {
	OCSF_BASE = 0, /* what no class is made for: rings, sessions, reviews, gaps */
	OCSF_FILE = 1001, /* File System Activity */
	OCSF_PROCESS = 1007, /* Process Activity */
	OCSF_NETWORK = 4001, /* Network Activity */
};

struct ocsf_activity {
	enum ocsf_class class;
	unsigned int id; /* of the class */
	const char *name;
};

struct ocsf_activity ocsf_activity_of(const struct log_event *event);

/*
 * What is prepared once, and the last process that did something, since a process does many things
 * in a row. Starts as {0} but for the host.
 */
struct ocsf_memory {
	const char *host; /* the machine that the log is of; NULL: not known */
	struct text device, actor; /* JSON */
	struct text actor_key; /* whom `actor` is about */
	struct text scratch;
};

/* Adds one JSON object as one line. 0 or -ENOMEM. */
int view_ocsf(const struct log_event *event, struct ocsf_memory *memory, struct text *out);

void ocsf_memory_free(struct ocsf_memory *memory);

static inline void ocsf_memory_freep(struct ocsf_memory *memory)
{
	ocsf_memory_free(memory);
}

#define OWNED_OCSF_MEMORY CLEANUP(ocsf_memory_freep)
