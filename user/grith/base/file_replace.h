/* SPDX-License-Identifier: MPL-2.0 */
/*
 * A file that is there whole or not at all.
 */
#pragma once

#include <stddef.h>

/*
 * Writes a new file beside `path`, readable by its owner alone, and renames it to that. What was
 * there before stays until then, and a symbolic link is replaced, not followed. 0 or -errno.
 */
int file_replace(const char *path, const char *data, size_t length);
