/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What grithd counts: the kernel's counters, which are lines of grith_tables.h, and its own.
 */
#pragma once

#include "grith_abi.h"

enum severity {
	SEVERITY_NONE, /* how much was done */
	SEVERITY_NOTE, /* is worth knowing */
	SEVERITY_PROBLEM, /* grith did less than it promises */
};

struct counter {
	const char *name;
	enum severity severity;
	const char *meaning; /* for people */
};

/* grithd's own: X(name, word, severity, meaning). */
#define COUNTER_TABLE(X)                                                                         \
	X(COUNTER_RECORDS, "records", NONE, "records that came from the kernel")                 \
	X(COUNTER_BAD_RECORDS, "bad_records", PROBLEM, "records that grithd did not understand") \
	X(COUNTER_STRAY_RECORDS, "stray_records", NOTE,                                          \
	  "records that came after the end of their session")                                    \
	X(COUNTER_AUDIT_LINES, "audit_lines", NONE, "lines written to the log")                  \
	X(COUNTER_AUDIT_LOST, "audit_lost", PROBLEM, "entries that could not be written to the log")

#define COUNTER_NUMBER(name, ...) name,
enum { COUNTER_KERNEL_LAST = GRITH_COUNTERS - 1, COUNTER_TABLE(COUNTER_NUMBER) COUNTERS };

/* By its number: enum grith_counter, or one of those above. Below COUNTERS. */
const struct counter *counter_of(unsigned int counter);

/* By its name; NULL: not known, as that of a newer grithd. */
const struct counter *counter_find(const char *name);
