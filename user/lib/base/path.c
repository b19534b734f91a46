/* SPDX-License-Identifier: MPL-2.0 */
/* Component by component is byte by byte, if the next byte ends a component. */
#include "path.h"

bool path_is_below(const char *path, size_t length, const char *directory)
{
	size_t n = directory ? strlen(directory) : 0;

	while (n > 1 && directory[n - 1] == '/')
		n--;
	if (!n || length < n || memcmp(path, directory, n) != 0)
		return false;
	return length == n || path[n] == '/' || directory[n - 1] == '/';
}
