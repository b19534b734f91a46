/* SPDX-License-Identifier: MPL-2.0 */
/* The objects of OCSF that events of several classes have. */
#pragma once

#include "lib/base/base.h"
#include "lib/event/event.h"

/*
 * What is prepared once, and the last process that did something, since a process does many things
 * in a row. Starts as {0} but for the host.
 */
struct ocsf_memory {
	const char *host; /* the machine that the log is of; NULL: not known */
	struct text device, actor; /* JSON */
	struct text actor_key; /* of the process that `actor` is about */
	struct text scratch;
};

void ocsf_memory_free(struct ocsf_memory *memory);
#define OWNED_OCSF_MEMORY CLEANUP(ocsf_memory_free)

/* The schema's type_id. */
enum ocsf_file {
	OCSF_FILE_UNKNOWN = 0,
	OCSF_FILE_REGULAR = 1,
	OCSF_FILE_FOLDER = 2,
};

/* The schema has no attribute for bytes: what is not text is escaped. Nothing for an empty one. */
void ocsf_add_text(struct json_writer *w, const char *name, struct record_bytes text);

void ocsf_add_file(struct json_writer *w, const char *name, struct record_bytes path,
		   enum ocsf_file type);

/* The process that asked. */
void ocsf_add_actor(struct json_writer *w, const struct log_event *event,
		    struct ocsf_memory *memory);

void ocsf_add_device(struct json_writer *w, struct ocsf_memory *memory);
