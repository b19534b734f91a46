/* SPDX-License-Identifier: MPL-2.0 */
/* The columns for user space. */
#include <stddef.h>
#include <stdint.h>

#include "ops.h"

/*
 * operation, object, OCSF activity, data, count of a report, capability, burst. STAT is only ever
 * hidden, and MAP is part of an exec that was inspected: neither needs a capability.
 */
#define OP_TABLE(X)                                                                              \
	X(NONE, NOTHING, 0, "Unknown", NONE, NONE, NULL, NULL)                                   \
	X(READ, FILE, 2, "Read", READ, READS, "fs:read", "reads many files")                     \
	X(WRITE, FILE, 3, "Update", WRITE, WRITES, "fs:write", "writes many files")              \
	X(CREATE, FILE, 1, "Create", NONE, WRITES, "fs:write", "writes many files")              \
	X(DELETE, FILE, 4, "Delete", NONE, WRITES, "fs:delete", "deletes many files")            \
	X(RENAME, FILE, 5, "Rename", MOVE, WRITES, "fs:write", "renames many files")             \
	X(LINK, FILE, 99, "Link", MOVE, WRITES, "fs:write", NULL)                                \
	X(TRUNCATE, FILE, 3, "Update", NONE, WRITES, "fs:write", "writes many files")            \
	X(METADATA, FILE, 6, "Set Attributes", NONE, NONE, "fs:metadata", NULL)                  \
	X(STAT, FILE, 8, "Get Attributes", NONE, NONE, NULL, NULL)                               \
	X(OPENDIR, FILE, 2, "Read", NONE, NONE, "fs:read", "lists many directories")             \
	X(LIST, FILE, 2, "Read", NONE, SCANS, "fs:read", NULL)                                   \
	X(RECEIVE, FILE, 14, "Open", READ, NONE, "fs:read", NULL)                                \
	X(EXEC, FILE, 14, "Open", NONE, NONE, "exec", "starts many programs")                    \
	X(MAP, FILE, 14, "Open", READ, NONE, NULL, NULL)                                         \
	X(SOCKET, NOTHING, 0, "Unknown", NONE, NONE, NULL, NULL)                                 \
	X(CONNECT, SOCKET, 1, "Open", SOCKET, CONNECTS, "net:connect", "makes many connections") \
	X(BIND, SOCKET, 99, "Bind", SOCKET, NONE, "net:bind", NULL)                              \
	X(LISTEN, SOCKET, 7, "Listen", NONE, NONE, "net:listen", NULL)                           \
	X(SEND, SOCKET, 6, "Traffic", SOCKET, CONNECTS, "net:connect", "makes many connections") \
	X(RING, NOTHING, 0, "Unknown", NONE, NONE, NULL, NULL)                                   \
	X(PTRACE_ACCESS, PROCESS, 3, "Open", NONE, ACCESSES, "process:touch", NULL)              \
	X(SIGNAL, PROCESS, 99, "Signal", NONE, NONE, "process:touch", NULL)                      \
	X(EXIT, NOTHING, 0, "Unknown", NONE, NONE, NULL, NULL)                                   \
	X(TERMINAL, FILE, 99, "Terminal", NONE, NONE, NULL, NULL)                                \
	X(IPC, FILE, 99, "IPC", NONE, NONE, "ipc", NULL)                                         \
	X(KEY, FILE, 99, "Key", NONE, NONE, "key", NULL)                                         \
	X(KERNEL, FILE, 99, "Kernel", NONE, NONE, "kernel", NULL)                                \
	X(ADJUST, PROCESS, 99, "Adjust", NONE, NONE, "process:touch", NULL)                      \
	X(MOUNT, FILE, 12, "Mount", NONE, NONE, "mount", NULL)                                   \
	X(NAMESPACE, NOTHING, 0, "Unknown", NONE, NONE, NULL, NULL)

#define BIT(name, ...) +(1ull << GRITH_OP_##name)
_Static_assert((0 OP_TABLE(BIT)) == (1ull << GRITH_OPS) - 1,
	       "an operation of grith_tables.h has no line here, or two");

#define CLASS(name, number, word, class, ...) [number] = GRITH_OP_CLASS_##class,
static const uint8_t classes[] = { GRITH_OP_TABLE(CLASS) };

#define LINE(name, on, number, activity_, data_, count_, grant_, burst_) \
	[GRITH_OP_##name] = {                                            \
		.object = OP_ON_##on,                                    \
		.activity = (number),                                    \
		.activity_name = (activity_),                            \
		.data = OP_DATA_##data_,                                 \
		.count = OP_COUNT_##count_,                              \
		.grant = (grant_),                                       \
		.burst = (burst_),                                       \
	},
static const struct op ops[GRITH_OPS] = { OP_TABLE(LINE) };

static unsigned int known(unsigned int op)
{
	return op < GRITH_OPS ? op : GRITH_OP_NONE;
}

enum grith_op_class op_class(unsigned int op)
{
	return classes[known(op)];
}

const struct op *op_info(unsigned int op)
{
	return &ops[known(op)];
}
