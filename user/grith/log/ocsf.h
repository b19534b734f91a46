/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Entries of the log as events of the Open Cybersecurity Schema Framework, version 1.3.0, with its
 * profile security_control. Which entry becomes an event of which class and activity is a table in
 * grith(1), OCSF. Pure.
 */
#pragma once

#include "ocsf_objects.h"

/* Numbers of classes are those of schema.ocsf.io/1.3.0. */
enum ocsf_class {
	OCSF_BASE = 0, /* what no class is made for: rings, sessions, reviews, gaps */
	OCSF_FILE = 1001, /* File System Activity */
	OCSF_PROCESS = 1007, /* Process Activity */
	OCSF_NETWORK = 4001, /* Network Activity */
};

/* Adds one JSON object as one line. 0 or -ENOMEM. */
int view_ocsf(const struct log_event *event, struct ocsf_memory *memory, struct text *out);
