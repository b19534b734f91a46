/* SPDX-License-Identifier: MPL-2.0 */
/* The groups of fields that a line of the log is put together of. */
#pragma once

#include "lib/base/base.h"
#include "write.h"

/* The name, or where there is none the number. */
void event_add_number_or_name(struct json_writer *w, const char *field, const char *name,
			      unsigned int number);
void event_add_path(struct json_writer *w, const char *name, struct record_bytes path);
void event_add_object(struct json_writer *w, const struct event_operation *event);
void event_add_inode(struct json_writer *w, const struct record *record);

void event_add_why(struct json_writer *w, const struct event_operation *event);
