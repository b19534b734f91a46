/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What log.c, which collects and writes lines, shares with log_open.c and
 * log_work.c. For nobody else.
 */
#pragma once

#include "lib/audit/audit.h"
#include "file.h"
#include "log.h"
#include "sealed.h"

struct audit_log {
	struct audit_file file;
	struct audit_key key;
	struct audit_head head;
	struct audit_sealed sealed;
	uint64_t retiring; /* a segment to be removed once the last line is written; 0: none */
	uint64_t size; /* of a file that is to be sealed */
	uint64_t size_tried; /* that it had when it could not be */
	int seal_r; /* of that, until audit_log_work() tells */
	bool has_work; /* for audit_log_work() */
	bool cannot_retire; /* until audit_log_look_again() */

	struct audit_chain chain; /* of the last line collected */
	struct text pending;
	uint64_t pending_lines;
	uint64_t unsigned_lines; /* since the last checkpoint */
	bool head_is_old; /* lines were written that it does not know */
	uint64_t lines, lost;
	uint64_t unsaid; /* of `lost`: not in a gap entry yet */
};

/*
 * Makes what was added to `pending` from `start` on the next line of the chain. `r` is whether it
 * could be added; 0 or a negative errno, and then it is taken out again.
 */
int audit_log_chain(struct audit_log *log, size_t start, int r);
