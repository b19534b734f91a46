/* SPDX-License-Identifier: MPL-2.0 */
/* What an event is about, in one line, for people. Pure. */
#ifndef GRITH_TOP_OBJECT_H
#define GRITH_TOP_OBJECT_H

#include "log_event.h"

/* Adds the path, the command, the address, ..., escaped. 0 or -ENOMEM. */
int top_object_add(struct text *out, const struct log_event *event);

/* "10.0.0.1:443", "[::1]:53"; nothing where there is no address. */
int top_address_add(struct text *out, const struct log_event *event);

/* Arguments with spaces between them; those with spaces or none in quotes. */
int top_arguments_add(struct text *out, struct record_bytes argv);

/* "node": the last component of the program's path, else what the kernel calls the process. */
struct record_bytes top_program_name(const struct log_event *event);

#endif
