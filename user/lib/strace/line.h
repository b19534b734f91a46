/* SPDX-License-Identifier: MPL-2.0 */
/*
 * One line of strace's: which task, when, and what kind of line it is. For this room only. Pure.
 */
#pragma once

#include "lib/record/record.h"

enum strace_line_kind {
	STRACE_OTHER = 0, /* nothing of strace's, unless it is the rest of a STRACE_CUT */
	STRACE_CALL, /* name, rest: what follows its parenthesis */
	STRACE_UNFINISHED, /* the same, up to where it was left */
	STRACE_RESUMED, /* rest: what follows */
	STRACE_ENDED, /* status */
	STRACE_SUPERSEDED, /* other: the thread whose exec took this number over */
	STRACE_ATTACHED, /* other: a new task */
	STRACE_CUT, /* a call, and then the message of an attached task */
	STRACE_ASIDE, /* signals, messages: nothing to do */
};

/* How -t, -tt, -ttt and -r tell the time. */
enum strace_clock { STRACE_NO_CLOCK = 0, STRACE_OF_DAY, STRACE_SINCE_1970, STRACE_SINCE_LAST };

struct strace_line {
	enum strace_line_kind kind;
	uint32_t tid; /* 0: not told */
	bool bracketed; /* "[pid 12] ": tasks are told where there are several */
	enum strace_clock clock;
	uint64_t time; /* nanoseconds */
	struct record_bytes name, rest;
	uint32_t other;
	int status; /* as of wait(2) */
};

struct strace_line strace_line_parse(const char *line, size_t length);
