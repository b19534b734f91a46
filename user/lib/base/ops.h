/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What user space knows of an operation besides its word and its op class, which are columns of
 * grith_tables.h: one line in ops.c.
 */
#pragma once

#include <stdbool.h>

#include "grith_abi.h"

/* What it is done to. */
enum op_object { OP_ON_NOTHING, OP_ON_FILE, OP_ON_SOCKET, OP_ON_PROCESS };

/* How it moves the data of its object, which lib/flow follows. */
enum op_data { OP_DATA_NONE, OP_DATA_READ, OP_DATA_WRITE, OP_DATA_MOVE, OP_DATA_SOCKET };

/* What it counts as in a report. */
enum op_count {
	OP_COUNT_NONE,
	OP_COUNT_READS,
	OP_COUNT_WRITES,
	OP_COUNT_SCANS,
	OP_COUNT_CONNECTS,
	OP_COUNT_ACCESSES,
	OP_COUNTS,
};

struct op {
	enum op_object object;
	unsigned int activity; /* OCSF 1.3.0, in the class of the object; 99: none of its own */
	const char *activity_name;
	enum op_data data;
	enum op_count count;
	const char *grant; /* the capability that it needs; NULL: none */
	const char *burst; /* "reads many files": what a session does that makes many */
};

/* Each takes a number that is none as GRITH_OP_NONE. */
enum grith_op_class
op_class(unsigned int op); /* GRITH_OP_CLASS_NONE: no rule for paths decides it */
const struct op *op_info(unsigned int op);

/* Data may leave the machine: a connect, or a send with its own destination. */
static inline bool op_is_egress(unsigned int op)
{
	return op_class(op) == GRITH_OP_CLASS_CONNECT;
}
