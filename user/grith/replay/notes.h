/* SPDX-License-Identifier: MPL-2.0 */
/* The limits of a log of system calls, in sentences for the reader of its counts. Pure. */
#pragma once

#include "lib/report/report.h"
#include "lib/strace/strace.h"

struct replay_noted {
	const struct strace_notes *notes;
	const char *cwd; /* that relative paths were taken from */
	const struct policy *policy; /* NULL: there is none */
	uint64_t too_long; /* lines beyond STRACE_LINE_MAX */
};

/* 0 or -ENOMEM. */
int replay_add_notes(const struct replay_noted *noted, struct report *report);
