/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What an entry of the log is about, for people. Pure.
 */
#pragma once

#include "grith/base/base.h"
#include "lib/event/event.h"

/* Adds the path, the command, the address, ..., escaped. */
void view_object(const struct log_event *event, struct line *line);

/* The last part of a path; all of it where that is empty. */
struct record_bytes view_base_name(struct record_bytes path);

/* The program's own name, or where that is not known what the kernel calls the process. */
struct record_bytes view_program(const struct log_event *event);
