/* SPDX-License-Identifier: MPL-2.0 */
/*
 * One client's reading of the audit log: the lines that it wants and may see, as lines of the
 * protocol. Those who follow read the files too, behind those who write them.
 */
#pragma once

#include "lib/audit/audit.h"
#include "lib/base/base.h"

struct log_reader;

/* Reads the log in `directory`. Takes over the question's filter (leaving {0}), in any case. */
int log_reader_new(const char *directory, struct log_question *question,
		   struct log_reader **ret_reader);
void log_reader_free(struct log_reader *reader);
DEFINE_CLEANUP(struct log_reader, log_reader_free)

/* One step; adds whole protocol lines to `out`. 0 or -errno. */
int log_reader_step(struct log_reader *reader, struct text *out, enum log_step *ret_step);
