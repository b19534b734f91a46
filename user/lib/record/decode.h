/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What the kernel sent, checked: kind, length and every offset, before anything is looked at.
 * Validates only: the meaning is the caller's. Pure.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "bytes.h"
#include "grith_abi.h"

/* The parts that a kind does not have are zero. */
struct record {
	struct grith_record head;
	char comm[17];

	/* PATH, EXEC, ARGV. A path has no NUL in it unless it is an abstract name. */
	struct record_bytes path, second, argv;
	struct record_bytes view; /* its name where the process is, if that is another one */
	uint64_t inode;
	uint32_t device, open_flags;
	uint32_t argv_total;
	struct grith_origin origin; /* EXEC; its numbers may be any */

	/* NET */
	uint16_t family, type, protocol, port;
	uint8_t address[16];

	/* PROCESS */
	uint32_t target, mode;
	uint64_t target_session;
	char target_comm[17];
};

/*
 * 0 and a record whose byte spans point into `data`, which needs no alignment; -EPROTO where the
 * record is of another version, -EBADMSG where it is not well formed.
 */
int record_decode(const void *data, size_t size, struct record *ret_record);
