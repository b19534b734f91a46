/* SPDX-License-Identifier: MPL-2.0 */
/* Entries of the log onto a stream, in one of the formats, many at a time. */
#pragma once

#include "grith/base/base.h"
#include "ocsf.h"
#include "options.h"

struct log_printer {
	FILE *out;
	enum log_format format;
	struct term term;
	struct moment_memory memory;
	struct ocsf_memory ocsf;
	struct text text; /* waits to be written */
};

/* What comes before the first entry. Each of the three: 0 or -errno. */
int log_printer_start(struct log_printer *printer);

/* `line` is what the event was read from. */
int log_printer_add(struct log_printer *printer, const struct log_event *event,
		    struct record_bytes line);
int log_printer_flush(struct log_printer *printer);

void log_printer_free(struct log_printer *printer);
