/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The file of the audit log that is being written: opened, repaired, appended to, and sealed. Knows
 * nothing of what is in the lines but the number of the first one.
 */
#pragma once

#include <sys/types.h>

#include "lib/base/base.h"

/* Starts as AUDIT_FILE_CLOSED. */
struct audit_file {
	int directory; /* owned */
	int fd; /* less than 0: the next write makes a new one */
	uint64_t size; /* bytes */
	uint64_t first; /* number of its first line, 0 where it has none */
	bool in_line; /* the last write ended within a line */
};

#define AUDIT_FILE_CLOSED ((struct audit_file) { .directory = -1, .fd = -1 })

/*
 * Makes the directory and the file where they are missing, and cuts off a last line that was not
 * written whole, which `ret_torn` reports. -EPERM where one of them belongs to another user, or
 * others may write to it; -errno.
 */
int audit_file_open(struct audit_file *file, const char *directory, bool *ret_torn);
void audit_file_close(struct audit_file *file);

/*
 * Appends the text, and takes out of it what was written, which may be a part only. `first` is the
 * number of its first line, for a new file. 0 or -errno.
 */
int audit_file_append(struct audit_file *file, struct text *text, uint64_t first);

int audit_file_sync(const struct audit_file *file);

/*
 * Gives the file its name as a segment; the next write makes a new one. 0 or -errno, and then it is
 * as it was: -EEXIST where there is a segment of that name.
 */
int audit_file_seal(struct audit_file *file);

/*
 * Whether it was unlinked, so that what is written goes nowhere. Then it is closed, and the
 * rest of a line that was begun in it is taken out of `text`.
 */
bool audit_file_is_gone(struct audit_file *file, struct text *text);
