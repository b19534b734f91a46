/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Files that are read at once and replaced as a whole.
 */
#pragma once

#include <sys/types.h>

#include "text.h"

/* Adds all until the end, and a NUL. -EFBIG where it is more than `max` bytes, or -errno. */
int read_to_end(int fd, size_t max, struct text *out);

/*
 * Adds all of a regular file to `out`. -EFBIG where it has more than `max` bytes, -EBADMSG where it
 * is something else than a file, -errno.
 */
int small_file_read(int directory, const char *name, size_t max, struct text *out);

/*
 * Writes NAME.part, and then it is NAME: whole or not at all, and on the disk when it returns. 0 or
 * -errno.
 */
int small_file_write(int directory, const char *name, mode_t mode, const char *data, size_t length);

/* All of it, or -errno. -EIO where the disk takes nothing and does not say why. */
int write_all(int fd, const char *data, size_t length);
