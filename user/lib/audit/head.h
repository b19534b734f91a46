/* SPDX-License-Identifier: MPL-2.0 */
/*
 * How far the audit log has come, outside of the log: the number and the hash of its last line,
 * authenticated with the log's key. A log that ends before that was cut off.
 */
#pragma once

#include "chain.h"
#include "key.h"

#define AUDIT_HEAD_FILE "audit.head" /* in the state directory */

/* Starts as AUDIT_HEAD_CLOSED. */
struct audit_head {
	int fd;
	unsigned int slot; /* that is written next */
};

#define AUDIT_HEAD_CLOSED ((struct audit_head) { .fd = -1 })

/*
 * What the file says. 0; -ENOENT where there is none; -EBADMSG where it is damaged or was not made
 * with this key; -errno.
 */
int audit_head_read(int directory, const struct audit_key *key, struct audit_chain *ret_last);

/* Opens the file for writing, made if it is not there. 0 or -errno. */
int audit_head_open(int directory, const struct audit_key *key, struct audit_head *head);

/* After the lines were written. In one write, and never over what the last one wrote. */
int audit_head_write(struct audit_head *head, const struct audit_key *key,
		     const struct audit_chain *last);

void audit_head_close(struct audit_head *head);
