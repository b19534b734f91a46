/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Where the audit log ends, and where a file of it begins, as its lines say.
 */
#pragma once

#include "chain.h"
#include "place.h"

/*
 * The last whole line of all files. 0, {0} where there is no line; -EBADMSG where the last line is
 * damaged or has no number; -errno.
 */
int audit_tail_find(int directory, struct audit_chain *ret_last);

/*
 * The line before the first one of a file, as the first one tells. -ENOENT where the file has no
 * line; -EBADMSG where it is not of the chain; -errno.
 */
int audit_tail_before(struct log_place *place, struct audit_chain *ret_before);
