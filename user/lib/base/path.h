/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Names of files as bytes. Looks at no file: links and ".." are the kernel's to resolve.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/*
 * Whether the path is the directory or lies below it. Slashes at the directory's end do not count;
 * every absolute path is below "/", and none is below "" or NULL.
 */
bool path_is_below(const char *path, size_t length, const char *directory);

static inline bool path_text_is_below(const char *path, const char *directory)
{
	return path_is_below(path, strlen(path), directory);
}
