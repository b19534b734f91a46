/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Verifying the files of an audit log, or one file that was exported from it. Reads them, and
 * leaves what their lines mean to verify.h.
 */
#pragma once

#include "verify.h"

struct audit_range {
	uint64_t from, to; /* numbers of lines; 0: from the first, to the last */
};

/*
 * All files of the directory, while they may be written to and rotated. 0, and `verify` has what
 * was found; -errno where the files cannot be read. The range ends with the first checkpoint after
 * it, which signs it.
 */
int audit_verify_directory(struct audit_verify *verify, int directory,
			   const struct audit_range *range);

/* An export: lines in one piece, or those of one session and a statement. As above. */
int audit_verify_export(struct audit_verify *verify, int fd);
