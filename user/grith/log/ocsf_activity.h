/* SPDX-License-Identifier: MPL-2.0 */
/* Which class and activity of OCSF an entry is. For ocsf.c only. */
#pragma once

#include "lib/event/event.h"

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
