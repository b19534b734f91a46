/* SPDX-License-Identifier: MPL-2.0 */
/* A file that a verb writes for its caller: there whole, or as it was before. */
#ifndef GRITH_REPLACE_FILE_H
#define GRITH_REPLACE_FILE_H

#include <stddef.h>

/*
 * Writes the bytes to a new file beside `path`, with the caller's umask, and gives it that name. 0
 * or a negative errno; then there is nothing left of it.
 */
int replace_file(const char *path, const char *bytes, size_t length);

#endif
