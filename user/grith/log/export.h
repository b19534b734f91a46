/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Lines of the audit log with what is needed to verify them without the rest of it.
 */
#pragma once

#include "lib/audit/audit.h"

struct audit_export {
	struct audit_range range;
	const char *session; /* NULL: lines of all, in one piece */
	const struct audit_key *key; /* with its secret half where there is a session */
	struct audit_chain head; /* as for audit_verify */
	uint64_t unsigned_lines; /* set: at the end, of those without a session */
};

/*
 * Writes the lines to `out`, after they were verified: in one piece up to the next checkpoint, or
 * those of one session and a signed statement. 0; -ENOENT where there are none; -EBADMSG where
 * something is wrong with the log; -errno.
 */
int audit_export(struct audit_export *wanted, int directory, FILE *out);
